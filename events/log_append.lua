-- Appends leaves to the log of finished games, and the checkpoints of the feeds they come from, all or nothing.
--
-- KEYS  1 head  2 index  3 feeds  4.. chunks of entries and nodes
-- ARGV  1 expected size  2 partition  3 expected checkpoint or ""  4 new checkpoint  5 new size  6 new root
--       7 number of leaves  8.. for each leaf its game's digest; then for each key from the 4th on an offset and the bytes there
--
-- Returns 1 when it was stored, 0 when another follower was faster.

if (redis.call('HGET', KEYS[1], 'size') or '0') ~= ARGV[1] then return 0 end
if (redis.call('HGET', KEYS[3], ARGV[2]) or '') ~= ARGV[3] then return 0 end

local size, leaves = tonumber(ARGV[1]), tonumber(ARGV[7])
for i = 1, leaves do
  redis.call('HSET', KEYS[2], ARGV[7 + i], size + i - 1)
end
for i = 4, #KEYS do
  local at = 8 + leaves + (i - 4) * 2
  redis.call('SETRANGE', KEYS[i], ARGV[at], ARGV[at + 1])
end
redis.call('HSET', KEYS[1], 'size', ARGV[5], 'root', ARGV[6])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
return 1
