-- Stores the log of a finished game verbatim under a new id, all or nothing. No feed, no lobby: it is a copy to look at.
--
-- KEYS  1 events  2 state  3 imported
-- ARGV  1 game id  2 snapshot schema  3 table  4 game state  5 head digest  6.. events, each "0" or "1" (has private parts) and its JSON
--
-- Returns 1 when it was stored, 0 when the id was taken.

if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local version = 0
for i = 6, #ARGV, 2 do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'e', ARGV[i + 1], 'p', ARGV[i])
end
redis.call('HSET', KEYS[2], 'v', version, 's', ARGV[2], 't', ARGV[3], 'g', ARGV[4], 'h', ARGV[5])
redis.call('SADD', KEYS[3], ARGV[1])
return 1
