-- Searching subscribers by any part of an address or name, and counting them by status, without reading a million rows.

create extension if not exists pg_trgm;

-- What a search looks into. The index knows every three letters that follow one another.
create function subscriber_words(email text, email_normalised text, name text) returns text
  immutable parallel safe language sql
  return lower(email_normalised || e'\n' || email || e'\n' || coalesce(name, ''));
create index subscriber_search on subscriber using gin (subscriber_words(email, email_normalised, name) gin_trgm_ops);

-- How many subscribers there are in each status: the sum of these rows. A change adds a row and touches none, so that people who
-- subscribe at the same moment do not wait for each other. A job adds rows up now and then.
create table subscriber_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id bigint not null generated always as identity,
  status text not null,
  n bigint not null,
  primary key (newsletter_id, id)
);

create function count_subscriber_statuses() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into subscriber_count (newsletter_id, status, n)
      select newsletter_id, status, count(*) from after_rows group by 1, 2;
  elsif tg_op = 'UPDATE' then
    insert into subscriber_count (newsletter_id, status, n)
      select newsletter_id, status, sum(n) from (
        select a.newsletter_id, a.status, 1 as n from after_rows a join before_rows b using (newsletter_id, id)
          where a.status <> b.status
        union all select b.newsletter_id, b.status, -1 from after_rows a join before_rows b using (newsletter_id, id)
          where a.status <> b.status
      ) moved group by 1, 2 having sum(n) <> 0;
  else
    -- A newsletter that is deleted with its subscribers needs no count any more.
    insert into subscriber_count (newsletter_id, status, n)
      select b.newsletter_id, b.status, -count(*) from before_rows b join newsletter n on n.id = b.newsletter_id group by 1, 2;
  end if;
  return null;
end $$;

lock table subscriber in share row exclusive mode;
create trigger count_statuses_inserted after insert on subscriber referencing new table as after_rows
  for each statement execute function count_subscriber_statuses();
create trigger count_statuses_updated after update on subscriber referencing old table as before_rows new table as after_rows
  for each statement execute function count_subscriber_statuses();
create trigger count_statuses_deleted after delete on subscriber referencing old table as before_rows
  for each statement execute function count_subscriber_statuses();
insert into subscriber_count (newsletter_id, status, n) select newsletter_id, status, count(*) from subscriber group by 1, 2;
