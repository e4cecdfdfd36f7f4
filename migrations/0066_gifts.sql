-- Until when a gift can be taken; null: without an end.
alter table gift add column until timestamptz;
-- Those that can still be taken are counted against a limit.
create index gift_open on gift (newsletter_id) where redeemed_at is null and withdrawn_at is null;
