-- Whoever has a text in their name, capitals aside, is found by it in the index too. İ is an i without its capital; taken apart first, as
-- before, it is an i with a dot that no search for an i finds.

drop index subscriber_search;
create or replace function folded(words text) returns text
  immutable parallel safe language sql
  return replace(replace(translate(normalize(lower(words), NFD), U&'\2019\0301\0300\0302\0308\0327\0303\030A', ''''), 'œ', 'oe'), 'æ', 'ae');
create index subscriber_search on subscriber using gin (subscriber_words(email, email_normalised, name) gin_trgm_ops);
-- Else nothing is known of what the index holds until many subscribers have changed.
analyze subscriber;
