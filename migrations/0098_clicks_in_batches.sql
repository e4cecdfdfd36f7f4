-- What a click costs the database under load is made smaller. docs/decisions/click-figures.md says how.

-- Clicks that were put down together are one row: each column holds that column of `click`, for all of them in one order. Where none has a
-- value the whole column is null. Up to 8 kB a row stays as it is, since to compress it costs more than to write it.
create temporary table waited on commit drop as select * from click_waiting;
drop table click_waiting;
create table click_waiting (
  newsletter_id text[] not null,
  short_link_id text[] not null,
  publication_id text[],
  subscriber_id uuid[],
  at timestamptz[] not null,
  excluded_by text[],
  device text[] not null,
  agent_id integer[],
  signs smallint[],
  referrer text[],
  country text[],
  rules smallint[] not null
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
insert into click_waiting select array_agg(newsletter_id), array_agg(short_link_id), array_agg(publication_id), array_agg(subscriber_id), array_agg(at),
  array_agg(excluded_by), array_agg(device), array_agg(agent_id), array_agg(signs), array_agg(referrer), array_agg(country), array_agg(rules)
from waited having count(*) > 0;
drop table waited;

-- What is counted goes with its newsletter. A foreign key would look for the newsletter at each row.
alter table link_count drop constraint link_count_newsletter_id_fkey;
alter table link_source_count drop constraint link_source_count_newsletter_id_fkey;
alter table link_result drop constraint link_result_newsletter_id_fkey;
create function delete_link_figures() returns trigger language plpgsql as $$
begin
  delete from link_count where newsletter_id = old.id;
  delete from link_source_count where newsletter_id = old.id;
  delete from link_people where newsletter_id = old.id;
  return null;
end $$;
create trigger delete_link_figures after delete on newsletter for each row execute function delete_link_figures();

-- An index is compared from its first column on, and that of most links is the same newsletter.
alter table link_count drop constraint link_count_pkey, add primary key (short_link_id, newsletter_id, hour, rule);
alter table link_source_count drop constraint link_source_count_pkey,
  add primary key (short_link_id, newsletter_id, device, referrer, country);

-- How many clicks a link has is the sum of where they came from.
alter table link_result rename to link_people;
alter table link_people drop column raw, drop column human;
alter table link_people drop constraint link_result_pkey, add primary key (short_link_id, newsletter_id);
delete from link_people where people = 0;

-- Clicks are searched by their time only for the last minutes, which are the end of the table.
drop index click_at;
create index click_at on click using brin (at) with (pages_per_range = 32, autosummarize = on);

drop trigger count_clicks_inserted on click;
drop trigger count_clicks_updated on click;
drop function count_new_clicks();
drop function count_changed_clicks();
drop function count_clicks(click_change[]);
drop type click_change;

/*
 * What is counted of clicks that come, and of clicks that change. `changes` stands for the rows of a statement: 1 for each as it is now, -1
 * for each as it was. What stays as it is costs nothing then. All connections write the rows of each table in the same order, so that no two
 * wait for each other in a circle.
 */
do $do$
declare
  counting constant text := $counting$
declare
  -- Most of what is written at once is of few kinds, and each kind costs a statement.
  has_readers constant boolean := exists (select from (changes) d where subscriber_id is not null and excluded_by is null);
  has_publications constant boolean := exists (select from (changes) d where publication_id is not null);
  of_this constant integer := pg_backend_pid() % 16;
begin
  if has_readers then
    with gone as (
      -- Whoever has no other click of a person there is no clicker any more.
      delete from link_clicker k using (
        select newsletter_id, short_link_id, subscriber_id from (changes) d
        where subscriber_id is not null and excluded_by is null group by 1, 2, 3 having sum(clicks) < 0
      ) b
      where k.newsletter_id = b.newsletter_id and k.short_link_id = b.short_link_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.short_link_id = b.short_link_id and c.excluded_by is null)
      returning k.newsletter_id, k.short_link_id
    ), come as (
      insert into link_clicker (newsletter_id, short_link_id, subscriber_id)
      select newsletter_id, short_link_id, subscriber_id from (changes) d
      where subscriber_id is not null and excluded_by is null group by 1, 2, 3 having sum(clicks) > 0 order by 1, 2, 3
      on conflict do nothing returning newsletter_id, short_link_id
    )
    insert into link_people as r (newsletter_id, short_link_id, people)
    select newsletter_id, short_link_id, sum(people) from (
      select newsletter_id, short_link_id, 1 as people from come
      union all select newsletter_id, short_link_id, -1 from gone
    ) d group by 1, 2 having sum(people) <> 0 order by 2, 1
    on conflict (short_link_id, newsletter_id) do update set people = r.people + excluded.people;
  end if;

  if has_publications then
    with gone as (
      delete from publication_clicker k using (
        select newsletter_id, publication_id, subscriber_id from (changes) d
        where publication_id is not null and subscriber_id is not null and excluded_by is null group by 1, 2, 3 having sum(clicks) < 0
      ) b
      where k.newsletter_id = b.newsletter_id and k.publication_id = b.publication_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.publication_id = b.publication_id and c.excluded_by is null)
      returning k.newsletter_id, k.publication_id
    ), come as (
      insert into publication_clicker (newsletter_id, publication_id, subscriber_id)
      select newsletter_id, publication_id, subscriber_id from (changes) d
      where publication_id is not null and subscriber_id is not null and excluded_by is null group by 1, 2, 3 having sum(clicks) > 0 order by 1, 2, 3
      on conflict do nothing returning newsletter_id, publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, raw, human, people)
    select newsletter_id, publication_id, of_this, sum(raw), sum(human), sum(people) from (
      select newsletter_id, publication_id, clicks as raw, case when excluded_by is null then clicks else 0 end as human, 0 as people
      from (changes) d where publication_id is not null
      union all select newsletter_id, publication_id, 0, 0, 1 from come
      union all select newsletter_id, publication_id, 0, 0, -1 from gone
    ) d group by 1, 2 having sum(raw) <> 0 or sum(human) <> 0 or sum(people) <> 0 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human, people = r.people + excluded.people;
  end if;

  insert into link_source_count as s (newsletter_id, short_link_id, device, referrer, country, raw, human)
  select newsletter_id, short_link_id, device, coalesce(referrer, ''), coalesce(country, ''), sum(clicks), coalesce(sum(clicks) filter (where excluded_by is null), 0)
  from (changes) d group by 1, 2, 3, 4, 5 having sum(clicks) <> 0 or sum(clicks) filter (where excluded_by is null) <> 0 order by 2, 1, 3, 4, 5
  on conflict (short_link_id, newsletter_id, device, referrer, country) do update set raw = s.raw + excluded.raw, human = s.human + excluded.human;

  insert into link_count as l (newsletter_id, short_link_id, hour, rule, clicks)
  select newsletter_id, short_link_id, date_trunc('hour', at), coalesce(excluded_by, ''), sum(clicks)
  from (changes) d group by 1, 2, 3, 4 having sum(clicks) <> 0 order by 2, 1, 3, 4
  on conflict (short_link_id, newsletter_id, hour, rule) do update set clicks = l.clicks + excluded.clicks;
  return null;
end $counting$;
begin
  execute format('create function count_new_clicks() returns trigger language plpgsql as %L',
    replace(counting, '(changes)', '(select *, 1 as clicks from came)'));
  execute format('create function count_changed_clicks() returns trigger language plpgsql as %L',
    replace(counting, '(changes)', '(select *, -1 as clicks from changed_from union all select *, 1 from changed_to)'));
end $do$;

create trigger count_clicks_inserted after insert on click referencing new table as came
  for each statement execute function count_new_clicks();
create trigger count_clicks_updated after update on click referencing old table as changed_from new table as changed_to
  for each statement execute function count_changed_clicks();
