-- What the id of a decision stands for, under a key of its own: a hash of
--   f  facts, which only gateways read
--   u  until when its permits are held (milliseconds since 1970), while its request runs
--   s  there once it was settled
--
-- ARGV[1]  VERB HOLD LIFE, a line break, FACTS; HOLD and LIFE in milliseconds
--          P: keeps FACTS for LIFE, or for HOLD where that is longer
--          R: ends the request; answers the facts
--          S: settles; answers the facts
--          N: holds for HOLD from now, or as long as before; answers for how long
--          E: ends the request where its hold is over, else answers for how long it is held
-- returns  nothing where there is nothing to do it to, or it was done before

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local verb, hold, life, facts = string.match(ARGV[1], '^(%u) (%d+) (%d+)\n(.*)$')
hold, life = tonumber(hold), tonumber(life)

local function text(number)
  return string.format('%.0f', number)
end

if verb == 'P' then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'f', facts, 'u', text(now + hold))
  redis.call('PEXPIRE', KEYS[1], text(math.max(hold, life)))
  return '1'
end

local kept = redis.pcall('HMGET', KEYS[1], 'f', 'u', 's')
if kept.err or not kept[1] then
  return ''
end
local left = kept[2] and tonumber(kept[2]) - now or 0

local function done()
  redis.call('DEL', KEYS[1])
end

if verb == 'S' then
  if kept[3] then
    return ''
  end
  if left > 0 then
    redis.call('HSET', KEYS[1], 's', '1')
  else
    done()
  end
  return kept[1]
end

if left <= 0 or verb == 'R' then
  if kept[3] then
    done()
  else
    redis.call('HDEL', KEYS[1], 'u')
  end
  return left > 0 and kept[1] or ''
end

if verb == 'N' and hold > left then
  left = hold
  redis.call('HSET', KEYS[1], 'u', text(now + hold))
  if redis.call('PTTL', KEYS[1]) < hold then
    redis.call('PEXPIRE', KEYS[1], text(hold))
  end
end
return text(left)
