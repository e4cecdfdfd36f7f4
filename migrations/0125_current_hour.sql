-- A click that comes is counted in one row in place of two. docs/decisions/click-figures.md says why.

-- Clicks of the hour that is running, by everything that is counted of them. Rows of hours that are over are moved to `link_count` and `link_source_count`.
create table link_current_count (
  newsletter_id text not null,
  short_link_id text not null,
  hour timestamptz not null,
  -- The rule that excluded them; '' for clicks of people.
  rule text not null,
  device text not null,
  -- '' when it is not known.
  referrer text not null,
  country text not null,
  clicks bigint not null,
  primary key (short_link_id, newsletter_id, hour, rule, device, referrer, country)
) with (fillfactor = 50);

-- What is counted of links, whichever table holds it. A row may be there twice, and be a difference: only sums say how many.
create view link_clicks_by_hour as
  select newsletter_id, short_link_id, hour, rule, clicks from link_count
  union all select newsletter_id, short_link_id, hour, rule, clicks from link_current_count;
create view link_clicks_by_source as
  select newsletter_id, short_link_id, device, referrer, country, raw, human from link_source_count
  union all select newsletter_id, short_link_id, device, referrer, country, clicks, case rule when '' then clicks else 0 end from link_current_count;

create or replace function delete_link_figures() returns trigger language plpgsql as $$
begin
  delete from link_current_count where newsletter_id = old.id;
  delete from link_count where newsletter_id = old.id;
  delete from link_source_count where newsletter_id = old.id;
  delete from link_people where newsletter_id = old.id;
  return null;
end $$;

/*
 * What is counted of clicks that come, and of clicks that change, as in 0098. Clicks of hours that are over are counted where they stay. All
 * connections, those that move rows too, write `link_current_count` first and then the others, so that no two wait for each other in a circle.
 */
do $do$
declare
  counting constant text := $counting$
declare
  -- Most of what is written at once is of few kinds, and each kind costs a statement.
  has_readers constant boolean := exists (select from (changes) d where subscriber_id is not null and excluded_by is null);
  has_publications constant boolean := exists (select from (changes) d where publication_id is not null);
  of_this constant integer := pg_backend_pid() % 16;
  this_hour constant timestamptz := date_trunc('hour', now());
  has_older constant boolean := exists (select from (changes) d where at < this_hour);
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

  insert into link_current_count as k (newsletter_id, short_link_id, hour, rule, device, referrer, country, clicks)
  select newsletter_id, short_link_id, date_trunc('hour', at), coalesce(excluded_by, ''), device, coalesce(referrer, ''), coalesce(country, ''), sum(clicks)
  from (changes) d where at >= this_hour group by 1, 2, 3, 4, 5, 6, 7 having sum(clicks) <> 0 order by 2, 1, 3, 4, 5, 6, 7
  on conflict (short_link_id, newsletter_id, hour, rule, device, referrer, country) do update set clicks = k.clicks + excluded.clicks;

  if has_older then
    insert into link_source_count as s (newsletter_id, short_link_id, device, referrer, country, raw, human)
    select newsletter_id, short_link_id, device, coalesce(referrer, ''), coalesce(country, ''), sum(clicks), coalesce(sum(clicks) filter (where excluded_by is null), 0)
    from (changes) d where at < this_hour group by 1, 2, 3, 4, 5
    having sum(clicks) <> 0 or sum(clicks) filter (where excluded_by is null) <> 0 order by 2, 1, 3, 4, 5
    on conflict (short_link_id, newsletter_id, device, referrer, country) do update set raw = s.raw + excluded.raw, human = s.human + excluded.human;

    insert into link_count as l (newsletter_id, short_link_id, hour, rule, clicks)
    select newsletter_id, short_link_id, date_trunc('hour', at), coalesce(excluded_by, ''), sum(clicks)
    from (changes) d where at < this_hour group by 1, 2, 3, 4 having sum(clicks) <> 0 order by 2, 1, 3, 4
    on conflict (short_link_id, newsletter_id, hour, rule) do update set clicks = l.clicks + excluded.clicks;
  end if;
  return null;
end $counting$;
begin
  execute format('create or replace function count_new_clicks() returns trigger language plpgsql as %L',
    replace(counting, '(changes)', '(select *, 1 as clicks from came)'));
  execute format('create or replace function count_changed_clicks() returns trigger language plpgsql as %L',
    replace(counting, '(changes)', '(select *, -1 as clicks from changed_from union all select *, 1 from changed_to)'));
end $do$;
