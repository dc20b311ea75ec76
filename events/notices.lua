-- Puts notices into the stream of a player, each once: a notice that came before from the same outbox is passed over.
--
-- KEYS  1 notices  2 received (`count`, and the last id by outbox)  3 notices:feed of the player's partition
-- ARGV  1 outbox  2 player  3 most kept  4 seconds kept after the last  5 length of the feed  6.. the id in the outbox and the notice
--
-- Returns how many were new.

local function is_after(id, other)
  local time, number = string.match(id, '(%d+)-(%d+)')
  local other_time, other_number = string.match(other, '(%d+)-(%d+)')
  time, other_time = tonumber(time), tonumber(other_time)
  return time > other_time or (time == other_time and tonumber(number) > tonumber(other_number))
end

local last = redis.call('HGET', KEYS[2], ARGV[1]) or '0-0'
local before = tonumber(redis.call('HGET', KEYS[2], 'count') or '0')
local count = before
for i = 6, #ARGV, 2 do
  if is_after(ARGV[i], last) then
    count = count + 1
    redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], count .. '-0', 'n', ARGV[i + 1])
    last = ARGV[i]
  end
end
if count > before then
  redis.call('EXPIRE', KEYS[1], ARGV[4])
  redis.call('HSET', KEYS[2], 'count', count, ARGV[1], last)
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[5], '*', 'g', ARGV[2], 'v', count, 'o', '', 't', '', 'd', '')
end
return count - before
