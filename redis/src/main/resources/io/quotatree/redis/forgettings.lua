-- What a fleet has to forget, under one key: a number that grows whenever counters were emptied,
-- quotas replaced, or permits given back after a while without. Whoever remembers refusals looks at
-- it each second, and forgets where it is another one than before. A message on the channel that is
-- called as the key is tells them to look at once; it may be lost, and the user may not be allowed
-- to send it. Joined in front of the scripts that need it.
--
-- The value is NUMBER BACK: permits are given back now and then until BACK, a time. What is none of
-- ours is taken for absent. A number that is not there begins with the time, so that a store that
-- lost its data has another one than before. Times are microseconds since 1970.

-- For so long after permits were given back, more are expected.
local GIVING_BACK = 10000000

-- Far more than the pause after which a gateway forgets all because it could not look.
local FORGETTINGS_MILLIS = 60000

local function forgettings(key, now)
  local number, back
  local v = redis.pcall('GET', key)
  if type(v) == 'string' then
    number, back = string.match(v, '^(%d+) (%d+)$')
    number, back = tonumber(number), tonumber(back)
  end
  if not number or number > 9e15 then
    return nil, 0
  end
  return number, math.min(back, now + GIVING_BACK)
end

local function keep_forgettings(key, number, back)
  local value = string.format('%.0f %.0f', number, back)
  redis.call('SET', key, value, 'PX', FORGETTINGS_MILLIS)
end

-- Whether permits were given back just now, as a time until which more are expected.
local function expected(gave_back, now)
  return gave_back ~= 0 and now + GIVING_BACK or 0
end

-- Everybody is to forget. Answers whether that could be said on the channel.
local function forget(key, now, gave_back)
  local number, back = forgettings(key, now)
  number = number and math.max(number + 1, now) or now
  keep_forgettings(key, number, math.max(back, expected(gave_back, now)))
  return type(redis.pcall('PUBLISH', key, string.format('%.0f', number))) == 'number'
end

-- The number, and for how many microseconds more permits are expected to be given back.
local function look_at_forgettings(key, now, gave_back)
  local number, back = forgettings(key, now)
  number = number or now
  back = math.max(back, expected(gave_back, now))
  keep_forgettings(key, number, back)
  return number, math.max(0, back - now)
end

