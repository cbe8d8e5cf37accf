-- The overrides of a fleet: one text under one key, replaced whole by whoever knows its revision.
-- Where it is replaced, everybody forgets what KEYS[2] is the number of.
--
-- ARGV[1]  VERB REVISION ENDS, a line break, TEXT
--          R: what is there; the text only where its revision is not this one
--          W: puts TEXT there until ENDS (milliseconds since 1970) where the revision is still this
--             one; ENDS 0 puts nothing there
--          F: whether nobody asked so of KEYS[1] before, which is another key then, kept until ENDS
-- returns  NOW REVISION, and where there is a text: a line break, TEXT
--          NOW alone where another revision is there, or somebody asked before
--
-- A value that is none of ours is taken for none.

local t = redis.call('TIME')
local micros = t[1] * 1000000 + t[2]
local now = math.floor(micros / 1000)
local said = string.format('%.0f', now)
local verb, revision, ends, text = string.match(ARGV[1], '^(%u) (%d+) (%d+)\n(.*)$')

if verb == 'F' then
  local left = string.format('%.0f', math.max(ends - now, 0) + 1000)
  return redis.call('SET', KEYS[1], '1', 'NX', 'PX', left) and said .. ' 1' or said
end

local kept = redis.pcall('GET', KEYS[1])
local there, rest = '0', 'end 0\n'
if type(kept) == 'string' then
  local number, after = string.match(kept, '^(%d+)\n(.*)$')
  if number then
    there, rest = number, after
  end
end

if verb == 'R' then
  if there == revision then
    return said .. ' ' .. there
  end
  return said .. ' ' .. there .. '\n' .. rest
end

if there ~= revision then
  return said
end
forget(KEYS[2], micros, 0)
if ends == '0' then
  redis.call('DEL', KEYS[1])
  return said .. ' 0'
end
-- Of two states of a fleet the later has the greater number, also where the key was lost between.
local number = string.format('%.0f', math.max(there + 1, now))
-- Some time after their end they are still there, so that somebody takes them out and tells.
local left = math.max(ends - now, 0) + 60000
redis.call('SET', KEYS[1], number .. '\n' .. text, 'PX', string.format('%.0f', left))
return said .. ' ' .. number
