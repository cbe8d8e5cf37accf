-- Quotatree's shared counters: the arithmetic. Joined in front of decide.lua and of amend.lua when
-- they are loaded.
--
-- WHOLE NUMBERS. Lua's numbers are doubles: whole numbers are exact up to 2^53 and silently wrong
-- above. Nothing here ever passes that:
--
--   time       whole microseconds; of the Unix epoch they need 51 bits
--   counts     permits, at most some 10^9 and debts
--   buckets    count in units of 1/g microsecond, g up to 10^9; a hundred years of them need 82
--              bits. So what is used is a pair (q, r): q whole microseconds of refilling and r
--              g-ths of one, 0 <= r < g. Time that passes takes from q alone; sums carry once.
--   products   go through muldiv, which never forms them.
--
-- Numbers are stored and sent as packed doubles and integers, never as text: tostring() keeps only
-- 14 digits.
--
-- FRESH. A state in which nothing is used any more decides as one that is not there. So a key's
-- end (PX) is never needed for a right answer; it only frees memory. Values that are none of ours
-- (planted by hand, of another type) are taken for absent, and replaced or deleted.
--
-- TIME is Redis's own. A counter that was written later than now tells that the clock was set back
-- (or that a replica with another clock took over). Up to BACK that is waited out: all of the
-- decision happens at the counter's time, and what is told is longer by the difference. A larger
-- step is the new time, and what was used is moved there as it is. Keys live BACK longer than their
-- state matters, so that a small step back finds nothing forgotten.

local unp, pk = struct.unpack, struct.pack

-- A clock that steps back by up to a second is waited out.
local BACK = 1000000

-- How long keys live while time is virtual: it says nothing of how long a run takes, and a refusal
-- writes nothing that would keep a key. They are deleted at the end of a run.
local KEPT = 86400000

-- Debts end at 142 years of refilling, so that sums stay below 2^53.
local MOST = 4503599627370496

-- Kinds of limits.
local LEAKY, FIXED, SLIDING, LOG, FLIGHT, ANSWERED = 2, 3, 4, 5, 6, 7

local BUCKET_BYTES, WINDOW_BYTES, LOG_HEAD_BYTES = 48, 16, 24

-- floor(x*y/z) and the rest, exactly: z < 2^45, x and y < 2^53, and the quotient < 2^53 (one above
-- comes out as some number above). Where the product does not fit, x is taken modulo z and
-- multiplied by y's digits of 7 bits, from the top, as in long division.
local function muldiv(x, y, z)
  local xy = x * y
  if xy < 9007199254740992 then
    local rest = xy % z
    return (xy - rest) / z, rest
  end
  local x0 = x % z
  local whole = (x - x0) / z * y
  local q, r, digit = 0, 0, 562949953421312
  for _ = 1, 8 do
    local sum = r * 128 + x0 * (math.floor(y / digit) % 128)
    r = sum % z
    q = q * 128 + (sum - r) / z
    digit = digit / 128
  end
  return whole + q, r
end

-- So many permits of w units each as a pair of base g.
local function pair(permits, g, w)
  local q, r = muldiv(w, permits, g)
  if q >= MOST then
    return MOST, 0
  end
  return q, r
end

-- What is used (q, r) in units (g0, w0), in units (g, w): the same permits, the part of a permit
-- rounded up, so that no change of limits gives a part of one back.
local function restated(q, r, g0, w0, g, w)
  local permits, part = muldiv(q, g0, w0)
  part = part + r
  local more = math.floor(part / w0)
  permits = permits + more
  part = part - more * w0
  local units, rest = muldiv(part, w, w0)
  if rest > 0 then
    units = units + 1
  end
  local q1, r1 = muldiv(w, permits, g)
  r1 = r1 + units
  more = math.floor(r1 / g)
  q1 = q1 + more
  if q1 >= MOST then
    return MOST, 0
  end
  return q1, r1 - more * g
end

-- The number of the slice that holds a time: floor(t*slices/p).
local function slice_at(t, p, slices)
  local rest = t % p
  return (t - rest) / p * slices + (muldiv(rest, slices, p))
end

-- When a slice begins, in whole microseconds, rounded up.
local function slice_start(slice, p, slices)
  local q, r = muldiv(slice, p, slices)
  if r > 0 then
    return q + 1
  end
  return q
end

-- Slices are kept as their low 32 bits beside the whole number of the newest.
local function whole_slice(low, newest)
  return newest - (newest - low) % 4294967296
end

-- A sliding window: "newest slice, sum" and then "slice, count" of each slice with a count, oldest
-- first. The sum and where the counting entries begin, when the given slice is the first to count.
local function counting(v, newest, sum, first)
  local from, size = 17, #v
  if newest < first then
    return 0, size + 1
  end
  while from <= size do
    local low, count = unp('<I4I4', v, from)
    if whole_slice(low, newest) >= first then
      break
    end
    sum = sum - count
    from = from + 8
  end
  return sum, from
end

-- Adds to the current slice; what no longer counts is left behind.
local function slid(v, newest, sum, from, current, cost)
  local size = #v
  local kept, count = '', 0
  if from <= size then
    local low, last = unp('<I4I4', v, size - 7)
    if whole_slice(low, newest) == current then
      count = last
      size = size - 8
    end
    kept = string.sub(v, from, size)
  end
  local after = math.min(count + cost, 4294967295)
  sum = sum + after - count
  return pk('<dd', current, sum) .. kept .. pk('<I4I4', current % 4294967296, after), sum
end

local function valid_slices(v)
  return v and #v >= WINDOW_BYTES and #v % 8 == 0
end

-- A log's head is its first element: the sum of all entries, the time of the newest, and by how
-- much the log's own time is ahead of the clock. Nil where there is no log.
local function log_head(key)
  local head = redis.pcall('LINDEX', key, 0)
  if not head then
    return nil
  end
  if type(head) == 'table' or #head ~= LOG_HEAD_BYTES then
    redis.call('DEL', key)
    return nil
  end
  return unp('<ddd', head)
end

local function ttl(micros)
  return math.max(1, math.ceil((micros + BACK) / 1000))
end
