-- Subscribers are found by their names without accents too, as they are typed on phones.

drop index subscriber_search;
-- The marks of Western European letters are left out, and an apostrophe is a straight one. A short list, because each letter is compared
-- with all of it at every match of the index, and at every write of a subscriber.
create function folded(words text) returns text
  immutable parallel safe language sql
  return replace(replace(translate(lower(normalize(words, NFD)), U&'\2019\0301\0300\0302\0308\0327\0303\030A', ''''), 'œ', 'oe'), 'æ', 'ae');
create or replace function subscriber_words(email text, email_normalised text, name text) returns text
  immutable parallel safe language sql
  return email_normalised || e'\n' || case
    -- Quicker, and the same: it has no letter with an accent.
    when octet_length(name) = length(name) and email = email_normalised then lower(name)
    else folded(coalesce(name, '') || coalesce(e'\n' || nullif(email, email_normalised), '')) end;
create index subscriber_search on subscriber using gin (subscriber_words(email, email_normalised, name) gin_trgm_ops);
-- Else nothing is known of what the index holds until many subscribers have changed.
analyze subscriber;
