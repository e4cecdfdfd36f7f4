-- What a search looks into, written so that it is quickly made: every match of the index makes it again, and every write of a subscriber.

drop index subscriber_search;
-- A normalised address is in small letters. The typed one is the same but for capitals and domains in other scripts.
create or replace function subscriber_words(email text, email_normalised text, name text) returns text
  immutable parallel safe language sql
  return email_normalised || e'\n' || lower(coalesce(name, '') || coalesce(e'\n' || nullif(email, email_normalised), ''));
create index subscriber_search on subscriber using gin (subscriber_words(email, email_normalised, name) gin_trgm_ops);
-- Else nothing is known of what the index holds until many subscribers have changed, and searches for a part that all have go through it.
analyze subscriber;
