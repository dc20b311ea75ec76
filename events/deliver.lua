-- Writes down a delivery of a webhook, new or changed, unless its webhook is gone.
--
-- KEYS  1 webhooks of the player  2 deliveries of the webhook  3 their order  4 what is to be handed out in the partition
-- ARGV  1 webhook  2 delivery  3 its JSON  4 "1" when it is new, else ""  5 score in the order  6 its name among what is due
--       7 milliseconds when it is to be handed out, or ""  8 how many are kept
--
-- Returns 1, or 0 when there is nothing to write: it is known already, or no longer.

local known = redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1
if known == (ARGV[4] == '1') or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end

redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
if ARGV[7] == '' then
  redis.call('ZREM', KEYS[4], ARGV[6])
else
  redis.call('ZADD', KEYS[4], ARGV[7], ARGV[6])
end
if not known then
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[2])
  local over = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[8])
  if over > 0 then
    local prefix = string.sub(ARGV[6], 1, #ARGV[6] - #ARGV[2])
    local popped = redis.call('ZPOPMIN', KEYS[3], over)
    for i = 1, #popped, 2 do
      redis.call('HDEL', KEYS[2], popped[i])
      redis.call('ZREM', KEYS[4], prefix .. popped[i])
    end
  end
end
return 1
