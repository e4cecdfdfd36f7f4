-- A foreign key asks for the same newsletter or tag once for each row, a million times for a file of a million people. Each question also
-- locks that one row anew, which is dear as soon as two transactions hold the lock. These triggers make the same promise, and ask once
-- for each statement.

-- First of all: somebody may be subscribing, and must not deadlock with this.
lock table newsletter, subscriber, tag, subscriber_tag, receipt_chain in access exclusive mode;

alter table subscriber drop constraint subscriber_newsletter_id_fkey;
alter table receipt_chain drop constraint receipt_chain_newsletter_id_fkey;
alter table subscriber_tag drop constraint subscriber_tag_newsletter_id_tag_id_fkey;

create function check_newsletter() returns trigger language plpgsql as $$
declare
  missing text;
begin
  -- The lock of a foreign key: the newsletter cannot be deleted before this transaction has ended.
  perform from newsletter where id in (select newsletter_id from after_rows) for key share;
  select r.newsletter_id into missing from (select distinct newsletter_id from after_rows) r
  where not exists (select from newsletter n where n.id = r.newsletter_id) limit 1;
  if found then
    raise foreign_key_violation using message = format('there is no newsletter %s', missing), table = tg_table_name;
  end if;
  return null;
end $$;
create trigger check_newsletter after insert on subscriber referencing new table as after_rows
  for each statement execute function check_newsletter();
create trigger check_newsletter after insert on receipt_chain referencing new table as after_rows
  for each statement execute function check_newsletter();

create function check_tag() returns trigger language plpgsql as $$
declare
  missing record;
begin
  perform from tag where (newsletter_id, id) in (select newsletter_id, tag_id from after_rows) for key share;
  select r.newsletter_id, r.tag_id into missing from (select distinct newsletter_id, tag_id from after_rows) r
  where not exists (select from tag t where (t.newsletter_id, t.id) = (r.newsletter_id, r.tag_id)) limit 1;
  if found then
    raise foreign_key_violation using message = format('newsletter %s has no tag %s', missing.newsletter_id, missing.tag_id),
      table = tg_table_name;
  end if;
  return null;
end $$;
create trigger check_tag after insert on subscriber_tag referencing new table as after_rows
  for each statement execute function check_tag();

create function keep_key() returns trigger language plpgsql as $$
begin
  raise integrity_constraint_violation using message = format('a row of %s keeps its newsletter and tag', tg_table_name),
    table = tg_table_name;
end $$;
create trigger keep_newsletter before update of newsletter_id on subscriber
  for each row when (old.newsletter_id is distinct from new.newsletter_id) execute function keep_key();
create trigger keep_newsletter before update of newsletter_id on receipt_chain
  for each row when (old.newsletter_id is distinct from new.newsletter_id) execute function keep_key();
create trigger keep_tag before update of newsletter_id, tag_id on subscriber_tag
  for each row when ((old.newsletter_id, old.tag_id) is distinct from (new.newsletter_id, new.tag_id)) execute function keep_key();

create function delete_subscribers_of_newsletter() returns trigger language plpgsql as $$
begin
  delete from subscriber where newsletter_id = old.id;
  delete from receipt_chain where newsletter_id = old.id;
  return null;
end $$;
create trigger delete_subscribers after delete on newsletter
  for each row execute function delete_subscribers_of_newsletter();

create function delete_uses_of_tag() returns trigger language plpgsql as $$
begin
  delete from subscriber_tag where newsletter_id = old.newsletter_id and tag_id = old.id;
  return null;
end $$;
create trigger delete_uses after delete on tag
  for each row execute function delete_uses_of_tag();

-- Who joined and who left are added in one pass in the order of the days. In two, two batches of a file with both kinds of people would
-- each wait for a day that the other has.
create or replace function count_subscribers() returns trigger language plpgsql as $$
begin
  -- Only what enters or leaves `active` counts; asking to subscribe touches no shared row and stays parallel.
  if tg_op = 'INSERT' then
    insert into daily_count as d (newsletter_id, day, joined, departed)
      select a.newsletter_id, (x.at at time zone n.timezone)::date, count(*) filter (where x.joined), count(*) filter (where not x.joined)
      from after_rows a join newsletter n on n.id = a.newsletter_id
        cross join lateral (values (a.confirmed_at, true), (case when a.status <> 'active' then a.left_at end, false)) as x (at, joined)
      where a.confirmed_at is not null and x.at is not null group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update
        set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed;
    perform notify_live(newsletter_id, 'subscribers') from after_rows where status = 'active' group by newsletter_id;
  elsif tg_op = 'UPDATE' then
    insert into daily_count as d (newsletter_id, day, joined, departed)
      select a.newsletter_id, (now() at time zone n.timezone)::date,
        count(*) filter (where a.status = 'active' and b.status <> 'active'),
        count(*) filter (where a.status <> 'active' and b.status = 'active')
      from after_rows a join before_rows b using (newsletter_id, id) join newsletter n on n.id = a.newsletter_id
      where (a.status = 'active') <> (b.status = 'active') group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update
        set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed;
    perform notify_live(a.newsletter_id, 'subscribers') from after_rows a join before_rows b using (newsletter_id, id)
      where (a.status = 'active') <> (b.status = 'active') group by a.newsletter_id;
  else
    insert into daily_count as d (newsletter_id, day, departed)
      select b.newsletter_id, (now() at time zone n.timezone)::date, count(*)
      from before_rows b join newsletter n on n.id = b.newsletter_id
      where b.status = 'active' group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update set departed = d.departed + excluded.departed;
    perform notify_live(newsletter_id, 'subscribers') from before_rows where status = 'active' group by newsletter_id;
  end if;
  return null;
end $$;
