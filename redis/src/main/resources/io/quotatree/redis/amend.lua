-- What is done to counters besides deciding. Answers are text. ARGV[1], packed little endian without gaps: verb (byte),
-- mono, wall (doubles: virtual time), and by verb:
--
--   1 settle    more (double: what to take, or to give back where negative), revision (double); and
--               of each key kind (byte), four doubles as in decide.lua, and the mark of the charge
--               (double: a fixed window's start, the slice, a log's time)
--   2 release   holder (16 bytes): its permits in flight end
--   3 renew     hold (double), and of each key a holder (16 bytes); who is gone stays gone
--   4 reset     of each key kind (byte) and four doubles: empties it; answers how many were in use
--               (permits in flight stay)
--   5 revision  fingerprint of quotas (16 bytes): KEYS[1] holds the latest fingerprint and its
--               number. The latest has its number; any other becomes the latest, and its number is
--               the time in milliseconds, or one more than the number before. Numbers so only grow,
--               even where the key was lost. KEYS[2], if there is one, is that of forgettings: they
--               are other quotas, so everybody forgets
--   6 enter     hold (double), holder (16 bytes): a permit in flight that was granted while nobody
--               could ask, past the limit if need be
--   7 announce  hold (double), member (16 bytes), whether the gateway gave permits back since it
--               last said so (double): it lives for so long from now, or has gone where hold is 0.
--               KEYS[2] is that of forgettings. Answers their number, the time, for how long more
--               permits are expected to be given back, how many gateways live, and after how many
--               microseconds the first of the others ends unless it is heard of again (0: there is
--               none)
--   8 forget    whether it is for permits that were given back (double): KEYS[1] is that of
--               forgettings, and everybody forgets; answers 1, or 0 where the channel is forbidden

local verb, m, w = unp('<Bdd', ARGV[1])
local virtual = VIRTUAL
if not virtual then
  local t = redis.call('TIME')
  m = t[1] * 1000000 + t[2]
  w = m
end
local at = 18

local function put(key, value, micros)
  redis.call('SET', key, value, 'PX', virtual and KEPT or ttl(micros))
end

-- A string of ours, or nothing.
local function value(key)
  local v = redis.pcall('GET', key)
  if type(v) ~= 'string' then
    return nil
  end
  return v
end

-- The state of a bucket now, if anything is used in it.
local function bucket(key)
  local v = value(key)
  if not v or #v ~= BUCKET_BYTES then
    return nil
  end
  local t, q, r, g, wu, b, permits, revision = unp('<ddI4I4dI4I4d', v)
  local dt = math.max(0, m - t)
  if g == 0 or wu <= 0 or dt > q or q - dt == 0 and r == 0 then
    return nil
  end
  return q - dt, r, g, wu, b, permits, revision
end

local function settle_bucket(key, more, g, wu, b, permits, revision)
  local q, r, g0, w0, b0, permits0, revision0 = bucket(key)
  if q then
    -- In the figures that it is written in.
    g, wu, b, permits, revision = g0, w0, b0, permits0, revision0
  else
    q, r = 0, 0
  end
  local dq, dr = pair(math.abs(more), g, wu)
  if more > 0 then
    local most, part = pair(b + 1000000000, g, wu)
    q, r = q + dq, r + dr
    if r >= g then
      q, r = q + 1, r - g
    end
    if q > most or q == most and r > part then
      q, r = most, part
    end
  else
    q, r = q - dq, r - dr
    if r < 0 then
      q, r = q - 1, r + g
    end
  end
  if q < 0 or q == 0 and r == 0 then
    redis.call('DEL', key)
  else
    put(key, pk('<ddI4I4dI4I4d', m, q, r, g, wu, b, permits, revision), q + 1)
  end
end

local function settle_fixed(key, more, p, offset, mark)
  local start = w - (w - offset) % p
  local v = value(key)
  local count, of = 0, start
  if v and #v == WINDOW_BYTES then
    local s, c = unp('<dd', v)
    if s >= start then
      of, count = s, c
    end
  end
  if more < 0 then
    if of ~= mark or count == 0 then
      return
    end
    count = math.max(0, count + more)
  else
    count = count + more
  end
  if count == 0 then
    redis.call('DEL', key)
  else
    put(key, pk('<dd', of, count), of + p - w)
  end
end

local function settle_sliding(key, more, p, slices, mark)
  local current = slice_at(w, p, slices)
  local v = value(key)
  local newest, sum, from = current, 0, 17
  if valid_slices(v) then
    newest, sum = unp('<dd', v)
    current = math.max(current, newest)
    sum, from = counting(v, newest, sum, current - slices)
  else
    v = ''
  end
  if more > 0 then
    v = slid(v, newest, sum, from, current, more)
    put(key, v, slice_start(current + 1, p, slices) + p - w)
    return
  end
  for place = from, #v, 8 do
    local low, count = unp('<I4I4', v, place)
    if whole_slice(low, newest) == mark then
      local left = math.max(0, count + more)
      sum = sum - count + left
      local entry = left > 0 and pk('<I4I4', low, left) or ''
      local rest = string.sub(v, from, place - 1) .. entry .. string.sub(v, place + 8)
      if sum == 0 then
        redis.call('DEL', key)
      else
        put(key, pk('<dd', newest, sum) .. rest, slice_start(newest + 1, p, slices) + p - w)
      end
      return
    end
  end
end

local function refund_log(key, more, p, mark, sum, shift)
  local length = redis.call('LLEN', key)
  local last = -1
  while -last < length do
    local first = math.max(last - 63, 1 - length)
    local entries = redis.call('LRANGE', key, first, last)
    for e = #entries, 1, -1 do
      local time, permits = unp('<dd', entries[e])
      if time < mark then
        return
      end
      if time == mark then
        local left = math.max(0, permits + more)
        if left > 0 then
          redis.call('LSET', key, first + e - 1, pk('<dd', time, left))
        else
          redis.call('LREM', key, -1, entries[e])
        end
        local newest = redis.call('LINDEX', key, -1)
        if #newest == 16 then
          newest = unp('<dd', newest)
          redis.call('LSET', key, 0, pk('<ddd', sum - permits + left, newest, shift))
        else
          redis.call('DEL', key)
        end
        return
      end
    end
    last = first - 1
  end
end

local function settle_log(key, more, p, mark)
  local sum, newest, shift = log_head(key)
  if more < 0 then
    if sum then
      refund_log(key, more, p, mark, sum, shift)
    end
    return
  end
  if not sum then
    redis.call('RPUSH', key, pk('<ddd', more, m, 0), pk('<dd', m, more))
  else
    local t = math.max(m + shift, newest)
    local last = redis.call('LINDEX', key, -1)
    local time, permits = 0, 0
    if #last == 16 then
      time, permits = unp('<dd', last)
    end
    if time == t then
      redis.call('LSET', key, -1, pk('<dd', t, permits + more))
    else
      redis.call('RPUSH', key, pk('<dd', t, more))
    end
    redis.call('LSET', key, 0, pk('<ddd', sum + more, t, shift))
  end
  redis.call('PEXPIRE', key, virtual and KEPT or ttl(p))
end

local function settle()
  local more, revision
  more, revision, at = unp('<dd', ARGV[1], at)
  for i = 1, #KEYS do
    local kind, a, b, c, d, mark
    kind, a, b, c, d, mark, at = unp('<Bddddd', ARGV[1], at)
    if kind <= LEAKY then
      settle_bucket(KEYS[i], more, a, b, c, d, revision)
    elseif kind == FIXED then
      settle_fixed(KEYS[i], more, a, b, mark)
    elseif kind == SLIDING then
      settle_sliding(KEYS[i], more, a, b, mark)
    elseif kind == LOG then
      settle_log(KEYS[i], more, a, mark)
    end
  end
  return '0'
end

local function release()
  local holder = unp('c16', ARGV[1], at)
  for i = 1, #KEYS do
    redis.pcall('ZREM', KEYS[i], holder)
  end
  return '0'
end

local function renew()
  local hold
  hold, at = unp('<d', ARGV[1], at)
  for i = 1, #KEYS do
    local holder
    holder, at = unp('c16', ARGV[1], at)
    local known = redis.pcall('ZSCORE', KEYS[i], holder)
    if type(known) == 'string' and tonumber(known) > m then
      redis.call('ZADD', KEYS[i], string.format('%.0f', m + hold), holder)
      redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(hold))
    end
  end
  return '0'
end

local function in_use(kind, key, p, slices)
  if kind <= LEAKY then
    return bucket(key) ~= nil
  end
  if kind == LOG then
    local sum, newest, shift = log_head(key)
    return sum ~= nil and sum > 0 and newest > m + shift - p
  end
  local v = value(key)
  if kind == FIXED and v and #v == WINDOW_BYTES then
    local start, count = unp('<dd', v)
    return count > 0 and start + p > w
  end
  if kind == SLIDING and valid_slices(v) then
    local newest, sum = unp('<dd', v)
    return (counting(v, newest, sum, slice_at(w, p, slices) - slices)) > 0
  end
  return false
end

local function reset()
  local emptied = 0
  for i = 1, #KEYS do
    local kind, a, b, c, d
    kind, a, b, c, d, at = unp('<Bdddd', ARGV[1], at)
    if kind ~= FLIGHT then
      if in_use(kind, KEYS[i], a, b) then
        emptied = emptied + 1
      end
      redis.call('DEL', KEYS[i])
    end
  end
  return string.format('%.0f', emptied)
end

local function revision()
  local fingerprint = unp('c16', ARGV[1], at)
  local number, known = math.floor(m / 1000), false
  local v = value(KEYS[1])
  if v and #v == 24 then
    local latest, of = unp('<dc16', v)
    if of == fingerprint then
      number, known = latest, true
    else
      number = math.max(number, latest + 1)
    end
  end
  -- A day is far more than a gateway takes to come back; lost, it only counts one more revision.
  redis.call('SET', KEYS[1], pk('<dc16', number, fingerprint), 'PX', 86400000)
  if not known and KEYS[2] then
    forget(KEYS[2], m, 0)
  end
  return string.format('%.0f', number)
end

-- Adds to a sorted set of ours; whatever else is at its key goes.
local function add(key, score, member)
  local added = redis.pcall('ZADD', key, score, member)
  if type(added) == 'table' then
    redis.call('DEL', key)
    redis.call('ZADD', key, score, member)
  end
end

local function enter()
  local hold, holder = unp('<dc16', ARGV[1], at)
  for i = 1, #KEYS do
    add(KEYS[i], string.format('%.0f', m + hold), holder)
    redis.call('PEXPIRE', KEYS[i], virtual and KEPT or ttl(hold))
  end
  return '0'
end

-- How many gateways live, and when the first of the others ends.
local function alive(hold, member)
  local key = KEYS[1]
  if hold > 0 then
    add(key, string.format('%.0f', m + hold), member)
    redis.call('PEXPIRE', key, virtual and KEPT or ttl(hold))
    -- Nobody lives for longer than a hold from now, unless the clock was set back.
    redis.call('ZREMRANGEBYSCORE', key, string.format('(%.0f', m + hold + BACK), '+inf')
  else
    redis.pcall('ZREM', key, member)
  end
  local gone = redis.pcall('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', m))
  if type(gone) == 'table' then
    return '0 0'
  end
  local first = 0
  local members = redis.call('ZRANGE', key, 0, 1, 'WITHSCORES')
  for i = 1, #members, 2 do
    if members[i] ~= member and first == 0 then
      first = tonumber(members[i + 1]) - m
    end
  end
  return string.format('%.0f %.0f', redis.call('ZCARD', key), first)
end

local function announce()
  local hold, member, gave_back = unp('<dc16d', ARGV[1], at)
  local number, back = look_at_forgettings(KEYS[2], m, gave_back)
  return string.format('%.0f %.0f %.0f ', number, m, back) .. alive(hold, member)
end

if verb == 1 then
  return settle()
elseif verb == 2 then
  return release()
elseif verb == 3 then
  return renew()
elseif verb == 4 then
  return reset()
elseif verb == 6 then
  return enter()
elseif verb == 7 then
  return announce()
elseif verb == 8 then
  return forget(KEYS[1], m, (unp('<d', ARGV[1], at))) and '1' or '0'
end
return revision()
