-- Decides a request: asks all limits of its plan, in order, and charges all, or nothing, or in loose
-- accounting those before the layer that refuses. One call, whatever the number of limits.
--
-- KEYS: the counter of each limit. ARGV[1], packed without gaps, little endian:
--
--   mode     byte    1 look: ask, and change nothing
--   mono     double  virtual time of buckets, logs and permits in flight
--   wall     double  virtual time of windows
--   cost     double  what is charged; 0 is decided as 1 and charges nothing
--   revision double  the quotas' revision: greater is later
--   hold     double  microseconds that a permit in flight is held without being renewed
--   holder   16 bytes
--   and of each limit: kind, flags (1 shadow, 2 loose), layer (bytes), and four doubles:
--     token bucket 1, leaky bucket 2   g, w, burst, permits
--     fixed window 3                   period, offset, permits
--     sliding window 4                 period, slices, permits
--     sliding log 5                    period, permits
--     in flight 6                      permits
--     answered 7                       1 grants: it was asked elsewhere, its key is not used
--
-- The answer, packed alike: late (double: how far the decision's time is ahead of the clock), mono,
-- wall (doubles: its time), the place of the first enforced limit that refuses, from 1, or 0
-- (double); and of each limit a byte (1 grants, 2 counter is there, 4 bucket in another line's
-- figures, 8 bucket in later quotas' figures) and four doubles, as they are after the charge:
--
--   buckets          q, r used, and burst, permits of the figures they are in
--   fixed window     its start, its count
--   sliding window   sum, slice that must leave for this to be granted, last slice, current slice
--   sliding log      sum, wait, reset, time of this charge
--   in flight        how many
--
-- How buckets count. A state is "time, q, r, g, w, burst, permits, revision": what was used at that
-- time, and the figures and quotas it is written in. Three cases where the figures are not this
-- limit's:
--   earlier quotas   the state is restated in this limit's figures, now; a token bucket forgets
--                    what is used beyond its burst. The one write that a refused request causes.
--   the same quotas  another line's: a user who comes by another plan. Asked as restated, and
--                    restated for good only when this limit grants, so that nothing is forgotten.
--   later quotas     this request was planned before a reload: it is asked as the newer figures say.

local mode, m, w, cost, revision, hold, holder = unp('<Bdddddc16', ARGV[1])
local virtual, look = VIRTUAL, mode == 1
if not virtual then
  local t = redis.call('TIME')
  m = t[1] * 1000000 + t[2]
  w = m
end
local asks = math.max(cost, 1)

local n = #KEYS
local values = redis.call('MGET', unpack(KEYS))
local kinds, flags, layers = {}, {}, {}
local A, B, C, D = {}, {}, {}, {}
-- What was read, by kind.
local R1, R2, R3, R4, R5, R6, R7, R8 = {}, {}, {}, {}, {}, {}, {}, {}
local found, write = {}, {}

-- 1. Read, and see how late it is.
local mm, ww = m, w
local at = 58
for i = 1, n do
  local kind
  kind, flags[i], layers[i], A[i], B[i], C[i], D[i], at = unp('<BBBdddd', ARGV[1], at)
  kinds[i] = kind
  local v = values[i]
  if kind <= LEAKY then
    if v and #v == BUCKET_BYTES then
      R1[i], R2[i], R3[i], R4[i], R5[i], R6[i], R7[i], R8[i] = unp('<ddI4I4dI4I4d', v)
      found[i] = R4[i] > 0 and R5[i] > 0
      if R1[i] > mm and R1[i] - m <= BACK then
        mm = R1[i]
      end
    end
  elseif kind == FIXED then
    if v and #v == WINDOW_BYTES then
      R1[i], R2[i] = unp('<dd', v)
      found[i] = true
      if R1[i] > ww and R1[i] - w <= BACK then
        ww = R1[i]
      end
    end
  elseif kind == SLIDING then
    if valid_slices(v) then
      R1[i], R2[i] = unp('<dd', v)
      found[i] = true
      if R1[i] > slice_at(w, A[i], B[i]) then
        local start = slice_start(R1[i], A[i], B[i])
        if start > ww and start - w <= BACK then
          ww = start
        end
      end
    end
  elseif kind == LOG then
    R1[i], R2[i], R3[i] = log_head(KEYS[i])
    found[i] = R1[i] ~= nil
    if found[i] then
      local newest = R2[i] - R3[i]
      if newest > mm and newest - m <= BACK then
        mm = newest
      end
    end
  end
  if v and not found[i] and not look and kind ~= ANSWERED then
    -- Nothing of ours: it goes, whether or not anything takes its place.
    redis.call('DEL', KEYS[i])
  end
end
local late = math.max(mm - m, ww - w)
if virtual then
  m, w = mm, ww
else
  m, w = m + late, w + late
end

-- 2. Ask. Fills granted[i] and, of each limit, what its state is before a charge.
local granted, others = {}, {}
local refusal = 0

local function ask_bucket(i)
  local g, wu, b = A[i], B[i], C[i]
  local q, r = 0, 0
  if found[i] then
    local dt = m - R1[i]
    if dt < 0 then
      -- The clock was set back by much: used is what was used.
      dt = 0
      write[i] = true
    end
    if dt <= R2[i] then
      q, r = R2[i] - dt, R3[i]
    end
  end
  local as = 0
  if (q > 0 or r > 0) and not look then
    local g0, w0 = R4[i], R5[i]
    local same = g0 == g and w0 == wu and R6[i] == b
    if R8[i] < revision then
      if not same then
        q, r = restated(q, r, g0, w0, g, wu)
        if kinds[i] ~= LEAKY then
          local full, part = pair(b, g, wu)
          if q > full or q == full and r > part then
            q, r = full, part
          end
        end
      end
      write[i] = true
    elseif not same then
      as = R8[i] == revision and 4 or 8
    end
  end
  local q1, r1 = q, r
  if as == 4 then
    q1, r1 = restated(q, r, R4[i], R5[i], g, wu)
    others[i] = { q1, r1 }
  elseif as == 8 then
    g, wu, b = R4[i], R5[i], R6[i]
  end
  local need = kinds[i] == LEAKY and 1 or asks
  local ok = need <= b
  if ok then
    local most, part = pair(b - need, g, wu)
    ok = q1 < most or q1 == most and r1 <= part
  end
  if as == 0 and not look then
    -- From here on in this limit's own figures.
    R4[i], R5[i], R6[i], R7[i], R8[i] = g, wu, b, D[i], revision
  end
  R1[i], R2[i], R3[i] = m, q, r
  others[i] = others[i] or as
  return ok
end

local function ask_fixed(i)
  local start = w - (w - B[i]) % A[i]
  local count = 0
  if found[i] and R1[i] >= start then
    count = R2[i]
    if R1[i] > start then
      write[i] = true
    end
  end
  R1[i], R2[i] = start, count
  return count + asks <= C[i]
end

local function ask_sliding(i)
  local current = slice_at(w, A[i], B[i])
  local v, newest, sum, from = values[i], R1[i], 0, 17
  if not found[i] then
    v, newest = '', current
  else
    if newest > current then
      -- The clock was set back by much: all slices move with it.
      local moved = { pk('<dd', current, R2[i]) }
      for at = 17, #v, 8 do
        local low, count = unp('<I4I4', v, at)
        moved[#moved + 1] =
          pk('<I4I4', (whole_slice(low, newest) - newest + current) % 4294967296, count)
      end
      v, newest = table.concat(moved), current
      values[i] = v
      write[i] = true
    end
    sum, from = counting(v, newest, R2[i], current - B[i])
  end
  R1[i], R2[i], R3[i], R4[i] = newest, sum, from, current
  return sum + asks <= C[i]
end

local function ask_log(i)
  local t = m
  local sum = 0
  if found[i] then
    t = m + R3[i]
    if t < R2[i] then
      -- The clock was set back by much: the log's time stands where it was.
      R3[i] = R3[i] + R2[i] - t
      t = R2[i]
      write[i] = true
    end
    sum = R1[i]
    local old, from, chunk = 0, 1, 1
    repeat
      local entries = redis.call('LRANGE', KEYS[i], from, from + chunk - 1)
      for e = 1, #entries do
        local time, permits = unp('<dd', entries[e])
        if time > t - A[i] then
          chunk = 0
          break
        end
        old = old + 1
        sum = sum - permits
      end
      from = from + chunk
      chunk = #entries == chunk and 64 or 0
    until chunk == 0
    if old > 0 and not look then
      redis.call('LPOP', KEYS[i], old + 1)
      redis.call('LPUSH', KEYS[i], pk('<ddd', sum, R2[i], R3[i]))
      redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(R2[i] + A[i] - t))
      old = 0
    end
    R6[i] = 1 + old
  else
    R2[i], R3[i] = t, 0
  end
  R1[i], R4[i] = sum, t
  return sum + asks <= B[i]
end

local function ask_flight(i)
  local key = KEYS[i]
  local count = redis.pcall('ZCOUNT', key, '(' .. string.format('%.0f', m), '+inf')
  if type(count) == 'table' then
    redis.call('DEL', key)
    count = 0
  end
  if count >= A[i] and not look then
    -- Nobody holds a permit for longer than a hold from now, unless the clock was set back.
    local ends = string.format('%.0f', m + hold)
    local beyond = redis.call('ZRANGEBYSCORE', key, string.format('%.0f', m + hold + BACK), '+inf')
    for e = 1, #beyond do
      redis.call('ZADD', key, ends, beyond[e])
    end
  end
  found[i] = count > 0
  R1[i] = count
  return count + 1 <= A[i]
end

for i = 1, n do
  local kind = kinds[i]
  local ok
  if kind <= LEAKY then
    ok = ask_bucket(i)
  elseif kind == FIXED then
    ok = ask_fixed(i)
  elseif kind == SLIDING then
    ok = ask_sliding(i)
  elseif kind == LOG then
    ok = ask_log(i)
  elseif kind == ANSWERED then
    ok = A[i] == 1
    R1[i], R2[i] = 0, 0
  else
    ok = ask_flight(i)
  end
  granted[i] = ok
  if not ok and refusal == 0 and flags[i] % 2 == 0 then
    refusal = i
  end
end

-- 3. Charge: all that grant; of a refused request the loose before the layer that refuses.
local charges = {}
if cost > 0 and not look then
  local last = n
  if refusal > 0 then
    local first = 1
    while layers[first] ~= layers[refusal] do
      first = first + 1
    end
    last = first - 1
  end
  for i = 1, last do
    charges[i] = granted[i] and (refusal == 0 or flags[i] >= 2)
  end
end

local function charge_bucket(i)
  local as = others[i]
  if type(as) == 'table' then
    -- This limit covers all that is used: from now on it is written as this one's.
    R2[i], R3[i] = as[1], as[2]
    R4[i], R5[i], R6[i], R7[i], R8[i] = A[i], B[i], C[i], D[i], revision
    others[i] = 0
  end
  local q, r = pair(cost, R4[i], R5[i])
  q, r = R2[i] + q, R3[i] + r
  if r >= R4[i] then
    q, r = q + 1, r - R4[i]
  end
  if q >= MOST then
    q, r = MOST, 0
  end
  R2[i], R3[i] = q, r
end

local function charge_log(i)
  local key, t = KEYS[i], R4[i]
  local sum = R1[i] + cost
  local last = found[i] and t == R2[i] and redis.call('LINDEX', key, -1)
  if last and #last == 16 then
    local _, permits = unp('<dd', last)
    redis.call('LSET', key, -1, pk('<dd', t, permits + cost))
  elseif found[i] then
    redis.call('RPUSH', key, pk('<dd', t, cost))
  else
    redis.call('RPUSH', key, pk('<ddd', sum, t, 0), pk('<dd', t, cost))
  end
  R1[i], R2[i] = sum, t
  redis.call('LSET', key, 0, pk('<ddd', sum, t, R3[i]))
  redis.call('PEXPIRE', key, virtual and KEPT or ttl(A[i]))
end

local function charge_flight(i)
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', m))
  redis.call('ZADD', KEYS[i], string.format('%.0f', m + hold), holder)
  redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(hold))
  R1[i] = R1[i] + 1
end

local function put(key, value, micros)
  redis.call('SET', key, value, 'PX', virtual and KEPT or ttl(micros))
end

for i = 1, n do
  local kind, charge = kinds[i], charges[i]
  if kind <= LEAKY then
    if charge then
      charge_bucket(i)
    end
    if (charge or write[i]) and not look then
      put(KEYS[i],
        pk('<ddI4I4dI4I4d', m, R2[i], R3[i], R4[i], R5[i], R6[i], R7[i], R8[i]), R2[i] + 1)
    end
  elseif kind == FIXED then
    if charge then
      R2[i] = R2[i] + cost
    end
    if (charge or write[i]) and not look then
      put(KEYS[i], pk('<dd', R1[i], R2[i]), R1[i] + A[i] - w)
    end
  elseif kind == SLIDING then
    if charge then
      values[i], R2[i] = slid(values[i] or '', R1[i], R2[i], R3[i], R4[i], cost)
      found[i], R1[i], R3[i] = true, R4[i], 17
    end
    if (charge or write[i]) and not look then
      put(KEYS[i], values[i], slice_start(R1[i] + 1, A[i], B[i]) + A[i] - w)
    end
  elseif kind == LOG then
    if charge then
      charge_log(i)
    elseif write[i] and not look then
      redis.call('LSET', KEYS[i], 0, pk('<ddd', R1[i], R2[i], R3[i]))
    end
  elseif charge and kind == FLIGHT then
    charge_flight(i)
  end
end

-- 4. Answer.
local function tell_sliding(i)
  local must, last = -1, -1
  local v = values[i]
  if found[i] and R3[i] <= #v then
    local low = unp('<I4', v, #v - 7)
    last = whole_slice(low, R1[i])
    if not granted[i] then
      local excess = R2[i] + asks - C[i]
      local at = R3[i]
      while at <= #v and excess > 0 do
        local slice, count = unp('<I4I4', v, at)
        excess = excess - count
        must = whole_slice(slice, R1[i])
        at = at + 8
      end
    end
  end
  return R2[i], must, last, R4[i]
end

local function tell_log(i)
  local t = R4[i]
  local wait = 0
  if not granted[i] and asks <= B[i] then
    local excess = R1[i] + asks - B[i]
    local from = R6[i]
    while excess > 0 do
      local entries = redis.call('LRANGE', KEYS[i], from, from + 63)
      for e = 1, #entries do
        local time, permits = unp('<dd', entries[e])
        excess = excess - permits
        wait = time + A[i] - t
        if excess <= 0 then
          break
        end
      end
      from = from + 64
      if #entries == 0 then
        break
      end
    end
  end
  return R1[i], wait, R1[i] > 0 and R2[i] + A[i] - t or 0, t
end

local answer = { pk('<dddd', late, m, w, refusal) }
for i = 1, n do
  local kind = kinds[i]
  local bits = (granted[i] and 1 or 0) + (found[i] and 2 or 0)
  local a, b, c, d = R1[i], R2[i], 0, 0
  if kind <= LEAKY then
    local as = others[i]
    bits = bits + (type(as) == 'table' and 4 or as)
    a, b, c, d = R2[i], R3[i], R6[i] or C[i], R7[i] or D[i]
  elseif kind == SLIDING then
    a, b, c, d = tell_sliding(i)
  elseif kind == LOG then
    a, b, c, d = tell_log(i)
  elseif kind == FLIGHT then
    b = 0
  end
  answer[i + 1] = pk('<Bdddd', bits, a, b, c, d)
end
return table.concat(answer)
