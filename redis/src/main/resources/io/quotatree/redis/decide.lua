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
--
-- Only speed explains some of this. A script is run anew each time, so each function costs what it
-- takes to make it, and each table several pieces of memory: a limit has one table, made in one
-- step, and what is seldom asked about has its functions made where it is. So a limit's state has
-- numbers for names:
--
--   buckets          S1 time, S2 q, S3 r; what it is written in: S4 g, S5 w, S6 burst, S7 permits,
--                    S8 revision; OTHERS 4 or 8 as in the answer, or the q and r restated
--   fixed window     S1 start, S2 count
--   sliding window   S1 newest slice, S2 sum, S3 where the counting entries begin, S4 current slice
--   sliding log      S1 sum, S2 newest, S3 how far ahead its time is, S4 its time, S6 first entry
--   in flight        S1 how many

local KIND, FLAGS, LAYER, A, B, C, D = 1, 2, 3, 4, 5, 6, 7
local S1, S2, S3, S4, S5, S6, S7, S8 = 8, 9, 10, 11, 12, 13, 14, 15
local FOUND, WRITE, GRANTED, CHARGED, OTHERS = 16, 17, 18, 19, 20

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
local limits = { false, false, false, false }
local seldom = false

-- 1. Read, and see how late it is.
local mm, ww = m, w
local at = 58
for i = 1, n do
  local kind, flags, layer, a, b, c, d
  kind, flags, layer, a, b, c, d, at = unp('<BBBdddd', ARGV[1], at)
  local v = values[i]
  local s1, s2, s3, s4, s5, s6, s7, s8
  local found = false
  if kind <= LEAKY then
    if v and #v == BUCKET_BYTES then
      s1, s2, s3, s4, s5, s6, s7, s8 = unp('<ddI4I4dI4I4d', v)
      found = s4 > 0 and s5 > 0
      if s1 > mm and s1 - m <= BACK then
        mm = s1
      end
    end
  elseif kind == FIXED then
    if v and #v == WINDOW_BYTES then
      s1, s2 = unp('<dd', v)
      found = true
      if s1 > ww and s1 - w <= BACK then
        ww = s1
      end
    end
  elseif kind == SLIDING then
    if valid_slices(v) then
      s1, s2 = unp('<dd', v)
      found = true
      s4 = slice_at(w, a, b)
      if s1 > s4 then
        local start = slice_start(s1, a, b)
        if start > ww and start - w <= BACK then
          ww = start
        end
      end
    end
  else
    seldom = true
    if kind == LOG then
      s1, s2, s3 = log_head(KEYS[i])
      found = s1 ~= nil
      if found then
        local newest = s2 - s3
        if newest > mm and newest - m <= BACK then
          mm = newest
        end
      end
    end
  end
  if v and not found and not look and kind ~= ANSWERED then
    -- Nothing of ours: it goes, whether or not anything takes its place.
    redis.call('DEL', KEYS[i])
  end
  limits[i] = {
    kind, flags, layer, a, b, c, d,
    s1, s2, s3, s4, s5, s6, s7, s8,
    found, false, false, false, 0,
  }
end
local late = math.max(mm - m, ww - w)
if virtual then
  m, w = mm, ww
else
  m, w = m + late, w + late
end

local ask_log, ask_flight, charge_log, charge_flight, tell_log
if seldom then
  function ask_log(i)
    local l = limits[i]
    local t = m
    local sum = 0
    if l[FOUND] then
      t = m + l[S3]
      if t < l[S2] then
        -- The clock was set back by much: the log's time stands where it was.
        l[S3] = l[S3] + l[S2] - t
        t = l[S2]
        l[WRITE] = true
      end
      sum = l[S1]
      local old, from, chunk = 0, 1, 1
      repeat
        local entries = redis.call('LRANGE', KEYS[i], from, from + chunk - 1)
        for e = 1, #entries do
          local time, permits = unp('<dd', entries[e])
          if time > t - l[A] then
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
        redis.call('LPUSH', KEYS[i], pk('<ddd', sum, l[S2], l[S3]))
        redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(l[S2] + l[A] - t))
        old = 0
      end
      l[S6] = 1 + old
    else
      l[S2], l[S3] = t, 0
    end
    l[S1], l[S4] = sum, t
    return sum + asks <= l[B]
  end

  function charge_log(i)
    local l = limits[i]
    local key, t = KEYS[i], l[S4]
    local sum = l[S1] + cost
    local last = l[FOUND] and t == l[S2] and redis.call('LINDEX', key, -1)
    if last and #last == 16 then
      local _, permits = unp('<dd', last)
      redis.call('LSET', key, -1, pk('<dd', t, permits + cost))
    elseif l[FOUND] then
      redis.call('RPUSH', key, pk('<dd', t, cost))
    else
      redis.call('RPUSH', key, pk('<ddd', sum, t, 0), pk('<dd', t, cost))
    end
    l[S1], l[S2] = sum, t
    redis.call('LSET', key, 0, pk('<ddd', sum, t, l[S3]))
    redis.call('PEXPIRE', key, virtual and KEPT or ttl(l[A]))
  end

  function tell_log(i)
    local l = limits[i]
    local t = l[S4]
    local wait = 0
    if not l[GRANTED] and asks <= l[B] then
      local excess = l[S1] + asks - l[B]
      local from = l[S6]
      while excess > 0 do
        local entries = redis.call('LRANGE', KEYS[i], from, from + 63)
        for e = 1, #entries do
          local time, permits = unp('<dd', entries[e])
          excess = excess - permits
          wait = time + l[A] - t
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
    return l[S1], wait, l[S1] > 0 and l[S2] + l[A] - t or 0, t
  end

  function ask_flight(i)
    local l = limits[i]
    local key = KEYS[i]
    local count = redis.pcall('ZCOUNT', key, '(' .. string.format('%.0f', m), '+inf')
    if type(count) == 'table' then
      redis.call('DEL', key)
      count = 0
    end
    if count >= l[A] and not look then
      -- Nobody holds a permit for longer than a hold from now, unless the clock was set back.
      local ends = string.format('%.0f', m + hold)
      local beyond = redis.call('ZRANGEBYSCORE', key, string.format('%.0f', m + hold + BACK), '+inf')
      for e = 1, #beyond do
        redis.call('ZADD', key, ends, beyond[e])
      end
    end
    l[FOUND] = count > 0
    l[S1] = count
    return count + 1 <= l[A]
  end

  function charge_flight(i)
    local l = limits[i]
    redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', m))
    redis.call('ZADD', KEYS[i], string.format('%.0f', m + hold), holder)
    redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(hold))
    l[S1] = l[S1] + 1
  end
end

-- 2. Ask. Fills GRANTED and, of each limit, what its state is before a charge.
local refusal = 0
for i = 1, n do
  local l = limits[i]
  local kind = l[KIND]
  local ok
  if kind <= LEAKY then
    local g, wu, b = l[A], l[B], l[C]
    local q, r = 0, 0
    if l[FOUND] then
      local dt = m - l[S1]
      if dt < 0 then
        -- The clock was set back by much: used is what was used.
        dt = 0
        l[WRITE] = true
      end
      if dt <= l[S2] then
        q, r = l[S2] - dt, l[S3]
      end
    end
    local as = 0
    if (q > 0 or r > 0) and not look then
      local g0, w0 = l[S4], l[S5]
      local same = g0 == g and w0 == wu and l[S6] == b
      if l[S8] < revision then
        if not same then
          q, r = restated(q, r, g0, w0, g, wu)
          if kind ~= LEAKY then
            local full, part = pair(b, g, wu)
            if q > full or q == full and r > part then
              q, r = full, part
            end
          end
        end
        l[WRITE] = true
      elseif not same then
        as = l[S8] == revision and 4 or 8
      end
    end
    local q1, r1 = q, r
    if as == 4 then
      q1, r1 = restated(q, r, l[S4], l[S5], g, wu)
      l[OTHERS] = { q1, r1 }
    else
      l[OTHERS] = as
      if as == 8 then
        g, wu, b = l[S4], l[S5], l[S6]
      end
    end
    local need = kind == LEAKY and 1 or asks
    ok = need <= b
    if ok then
      local most, part = pair(b - need, g, wu)
      ok = q1 < most or q1 == most and r1 <= part
    end
    if as == 0 and not look then
      -- From here on in this limit's own figures.
      l[S4], l[S5], l[S6], l[S7], l[S8] = g, wu, b, l[D], revision
    end
    l[S1], l[S2], l[S3] = m, q, r
  elseif kind == FIXED then
    local start = w - (w - l[B]) % l[A]
    local count = 0
    if l[FOUND] and l[S1] >= start then
      count = l[S2]
      if l[S1] > start then
        l[WRITE] = true
      end
    end
    l[S1], l[S2] = start, count
    ok = count + asks <= l[C]
  elseif kind == SLIDING then
    -- Where the decision is not late it is the slice that was found above.
    local current = late == 0 and l[S4] or slice_at(w, l[A], l[B])
    local v, newest, sum, from = values[i], l[S1], 0, 17
    if not l[FOUND] then
      v, newest = '', current
    else
      if newest > current then
        -- The clock was set back by much: all slices move with it.
        local moved = { pk('<dd', current, l[S2]) }
        for at = 17, #v, 8 do
          local low, count = unp('<I4I4', v, at)
          moved[#moved + 1] =
            pk('<I4I4', (whole_slice(low, newest) - newest + current) % 4294967296, count)
        end
        v, newest = table.concat(moved), current
        values[i] = v
        l[WRITE] = true
      end
      sum, from = counting(v, newest, l[S2], current - l[B])
    end
    l[S1], l[S2], l[S3], l[S4] = newest, sum, from, current
    ok = sum + asks <= l[C]
  elseif kind == LOG then
    ok = ask_log(i)
  elseif kind == ANSWERED then
    ok = l[A] == 1
    l[S1], l[S2] = 0, 0
  else
    ok = ask_flight(i)
  end
  l[GRANTED] = ok
  if not ok and refusal == 0 and l[FLAGS] % 2 == 0 then
    refusal = i
  end
end

-- 3. Charge: all that grant; of a refused request the loose before the layer that refuses.
if cost > 0 and not look then
  local last = n
  if refusal > 0 then
    local first = 1
    while limits[first][LAYER] ~= limits[refusal][LAYER] do
      first = first + 1
    end
    last = first - 1
  end
  for i = 1, last do
    local l = limits[i]
    l[CHARGED] = l[GRANTED] and (refusal == 0 or l[FLAGS] >= 2)
  end
end

-- And write what is charged, or has to be written in any case.
for i = 1, n do
  local l = limits[i]
  local kind, charged = l[KIND], l[CHARGED]
  local value, micros
  if not charged and not l[WRITE] or look then
    value = nil
  elseif kind <= LEAKY then
    if charged then
      local as = l[OTHERS]
      if type(as) == 'table' then
        -- This limit covers all that is used: from now on it is written as this one's.
        l[S2], l[S3] = as[1], as[2]
        l[S4], l[S5], l[S6], l[S7], l[S8] = l[A], l[B], l[C], l[D], revision
        l[OTHERS] = 0
      end
      local q, r = pair(cost, l[S4], l[S5])
      q, r = l[S2] + q, l[S3] + r
      if r >= l[S4] then
        q, r = q + 1, r - l[S4]
      end
      if q >= MOST then
        q, r = MOST, 0
      end
      l[S2], l[S3] = q, r
    end
    value = pk('<ddI4I4dI4I4d', m, l[S2], l[S3], l[S4], l[S5], l[S6], l[S7], l[S8])
    micros = l[S2] + 1
  elseif kind == FIXED then
    if charged then
      l[S2] = l[S2] + cost
    end
    value, micros = pk('<dd', l[S1], l[S2]), l[S1] + l[A] - w
  elseif kind == SLIDING then
    if charged then
      values[i], l[S2] = slid(values[i] or '', l[S1], l[S2], l[S3], l[S4], cost)
      l[FOUND], l[S1], l[S3] = true, l[S4], 17
    end
    value, micros = values[i], slice_start(l[S1] + 1, l[A], l[B]) + l[A] - w
  elseif kind == LOG then
    if charged then
      charge_log(i)
    else
      redis.call('LSET', KEYS[i], 0, pk('<ddd', l[S1], l[S2], l[S3]))
    end
  elseif charged and kind == FLIGHT then
    charge_flight(i)
  end
  if value then
    redis.call('SET', KEYS[i], value, 'PX', virtual and KEPT or ttl(micros))
  end
end

-- 4. Answer.
local answer = { pk('<dddd', late, m, w, refusal), false, false, false, false }
for i = 1, n do
  local l = limits[i]
  local kind = l[KIND]
  local bits = (l[GRANTED] and 1 or 0) + (l[FOUND] and 2 or 0)
  local a, b, c, d = l[S1], l[S2], 0, 0
  if kind <= LEAKY then
    local as = l[OTHERS]
    bits = bits + (type(as) == 'table' and 4 or as)
    a, b, c, d = l[S2], l[S3], l[S6] or l[C], l[S7] or l[D]
  elseif kind == SLIDING then
    a, b, c, d = l[S2], -1, -1, l[S4]
    local v = values[i]
    if l[FOUND] and l[S3] <= #v then
      c = whole_slice(unp('<I4', v, #v - 7), l[S1])
      if not l[GRANTED] then
        local excess = l[S2] + asks - l[C]
        local at = l[S3]
        while at <= #v and excess > 0 do
          local slice, count = unp('<I4I4', v, at)
          excess = excess - count
          b = whole_slice(slice, l[S1])
          at = at + 8
        end
      end
    end
  elseif kind == LOG then
    a, b, c, d = tell_log(i)
  elseif kind == FLIGHT then
    b = 0
  end
  answer[i + 1] = pk('<Bdddd', bits, a, b, c, d)
end
return table.concat(answer, '', 1, n + 1)
