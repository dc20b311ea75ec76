-- Appends the events of one command to the log of one game, all or nothing.
--
-- KEYS  1 events  2 state  3 answer  4 feed  5 owed  6 attempts  7 games  8 due  9 milestones
-- ARGV  1 expected version  2 game id  3 owed step or ""  4 milliseconds now  5 answer  6 seconds to keep the answer
--       7 snapshot schema  8 table  9 game state  10 head digest  11 "1" when the table itself changed, else ""
--       12 milliseconds at which something falls due or ""  13 milestone or ""
--       14.. events, each "0" or "1" (has private parts) and its JSON
--
-- Returns {"stored"}, {"known", answer} when the command was stored before, {"moved", version} when the game has moved on.

local answer = redis.call('GET', KEYS[3])
if answer then return {'known', answer} end

local expected = tonumber(ARGV[1])
local version = redis.call('XLEN', KEYS[1])
if version ~= expected then return {'moved', version} end

for i = 14, #ARGV, 2 do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'e', ARGV[i + 1], 'p', ARGV[i])
end
redis.call('HSET', KEYS[2], 'v', version, 's', ARGV[7], 't', ARGV[8], 'g', ARGV[9], 'h', ARGV[10])
redis.call('SET', KEYS[3], ARGV[5], 'EX', ARGV[6])
redis.call('XADD', KEYS[4], '*', 'g', ARGV[2], 'v', version, 'o', ARGV[3], 't', ARGV[11], 'd', ARGV[12], 'f', expected)
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[5], ARGV[2])
else
  redis.call('ZADD', KEYS[5], ARGV[4], ARGV[2])
end
if ARGV[12] == '' then
  redis.call('ZREM', KEYS[8], ARGV[2])
else
  redis.call('ZADD', KEYS[8], ARGV[12], ARGV[2])
end
if ARGV[13] ~= '' then redis.call('HSET', KEYS[9], version, ARGV[13]) end
redis.call('HDEL', KEYS[6], ARGV[2], ARGV[2] .. ':due')
if expected == 0 then redis.call('SADD', KEYS[7], ARGV[2]) end
return {'stored'}
