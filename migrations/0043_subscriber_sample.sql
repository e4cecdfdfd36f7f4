-- A sixteenth of the subscribers, drawn by the hash of their ids, in the order of that hash: the first of them are a sample of everybody. Large segments are
-- estimated with it.
create index subscriber_sample on subscriber (newsletter_id, uuid_hash(id)) where uuid_hash(id) & 15 = 0;
