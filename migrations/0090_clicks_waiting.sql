-- Under load, clicks are put down first and counted together a moment later. docs/decisions/click-figures.md says why.

-- Clicks that are on disk and not yet in `click`. It has no index, so that a click costs one row.
create table click_waiting (
  newsletter_id text not null,
  short_link_id text not null,
  publication_id text,
  subscriber_id uuid,
  at timestamptz not null,
  excluded_by text,
  device text not null,
  agent_id integer,
  signs smallint,
  rules smallint not null,
  referrer text,
  country text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- Clicks are found by their person and by their time; figures of a link are counted as they come.
drop index click_link;

drop trigger count_clicks_inserted on click;
drop trigger count_clicks_updated_from on click;
drop trigger count_clicks_updated_to on click;
drop function count_clicks();

create table link_source_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  short_link_id text not null,
  device text not null,
  -- '' when it is not known.
  referrer text not null,
  country text not null,
  raw bigint not null,
  human bigint not null,
  primary key (newsletter_id, short_link_id, device, referrer, country)
) with (fillfactor = 50);
drop table link_facet_count;

-- One row for each thing that is counted: whoever counts a link has locked its row of `link_result` before, so no two connections wait for each other in a circle.
create temporary table summed on commit drop as
  select newsletter_id, short_link_id, hour, rule, sum(clicks)::bigint as clicks from link_count group by 1, 2, 3, 4;
truncate link_count;
alter table link_count drop constraint link_count_pkey, drop column part,
  add primary key (newsletter_id, short_link_id, hour, rule);
insert into link_count select * from summed where clicks <> 0;
drop table summed;
create temporary table summed on commit drop as
  select newsletter_id, short_link_id, sum(raw)::bigint as raw, sum(human)::bigint as human, sum(people)::bigint as people from link_result group by 1, 2;
truncate link_result;
alter table link_result drop constraint link_result_pkey, drop column part, add primary key (newsletter_id, short_link_id);
insert into link_result select * from summed;
drop table summed;

lock table click in share row exclusive mode;
insert into link_source_count
select c.newsletter_id, c.short_link_id, c.device, coalesce(c.referrer, ''), coalesce(c.country, ''), count(*), count(*) filter (where c.excluded_by is null)
from click c join newsletter n on n.id = c.newsletter_id group by 1, 2, 3, 4, 5;

-- So many clicks alike that came (`clicks` > 0) or are otherwise now (`clicks` < 0).
create type click_change as (
  newsletter_id text, short_link_id text, publication_id text, subscriber_id uuid, hour timestamptz, rule text,
  device text, referrer text, country text, clicks bigint
);

/* Adds changes to all that is counted of clicks. */
create function count_clicks(changes click_change[]) returns void language plpgsql as $$
declare
  -- Most of what is written at once is of few kinds, and each kind costs a statement.
  has_readers constant boolean := exists (select from unnest(changes) where subscriber_id is not null and rule = '');
  has_publications constant boolean := exists (select from unnest(changes) where publication_id is not null);
  of_this constant integer := pg_backend_pid() % 16;
begin
  if has_readers then
    with gone as (
      -- Whoever has no other click of a person there is no clicker any more.
      delete from link_clicker k using (
        select newsletter_id, short_link_id, subscriber_id from unnest(changes)
        where subscriber_id is not null and rule = '' group by 1, 2, 3 having sum(clicks) < 0
      ) b
      where k.newsletter_id = b.newsletter_id and k.short_link_id = b.short_link_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.short_link_id = b.short_link_id and c.excluded_by is null)
      returning k.newsletter_id, k.short_link_id
    ), come as (
      insert into link_clicker (newsletter_id, short_link_id, subscriber_id)
      select newsletter_id, short_link_id, subscriber_id from unnest(changes)
      where subscriber_id is not null and rule = '' group by 1, 2, 3 having sum(clicks) > 0 order by 1, 2, 3
      on conflict do nothing returning newsletter_id, short_link_id
    )
    insert into link_result as r (newsletter_id, short_link_id, raw, human, people)
    select newsletter_id, short_link_id, sum(raw), sum(human), sum(people) from (
      select newsletter_id, short_link_id, clicks as raw, case when rule = '' then clicks else 0 end as human, 0 as people from unnest(changes)
      union all select newsletter_id, short_link_id, 0, 0, 1 from come
      union all select newsletter_id, short_link_id, 0, 0, -1 from gone
    ) d group by 1, 2 order by 1, 2
    on conflict (newsletter_id, short_link_id) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human, people = r.people + excluded.people;
  else
    insert into link_result as r (newsletter_id, short_link_id, raw, human)
    select newsletter_id, short_link_id, sum(clicks), coalesce(sum(clicks) filter (where rule = ''), 0) from unnest(changes) group by 1, 2 order by 1, 2
    on conflict (newsletter_id, short_link_id) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human;
  end if;

  if has_publications then
    with gone as (
      delete from publication_clicker k using (
        select newsletter_id, publication_id, subscriber_id from unnest(changes)
        where publication_id is not null and subscriber_id is not null and rule = '' group by 1, 2, 3 having sum(clicks) < 0
      ) b
      where k.newsletter_id = b.newsletter_id and k.publication_id = b.publication_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.publication_id = b.publication_id and c.excluded_by is null)
      returning k.newsletter_id, k.publication_id
    ), come as (
      insert into publication_clicker (newsletter_id, publication_id, subscriber_id)
      select newsletter_id, publication_id, subscriber_id from unnest(changes)
      where publication_id is not null and subscriber_id is not null and rule = '' group by 1, 2, 3 having sum(clicks) > 0 order by 1, 2, 3
      on conflict do nothing returning newsletter_id, publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, raw, human, people)
    select newsletter_id, publication_id, of_this, sum(raw), sum(human), sum(people) from (
      select newsletter_id, publication_id, clicks as raw, case when rule = '' then clicks else 0 end as human, 0 as people
      from unnest(changes) where publication_id is not null
      union all select newsletter_id, publication_id, 0, 0, 1 from come
      union all select newsletter_id, publication_id, 0, 0, -1 from gone
    ) d group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human, people = r.people + excluded.people;
  end if;

  insert into link_count as l (newsletter_id, short_link_id, hour, rule, clicks)
  select newsletter_id, short_link_id, hour, rule, sum(clicks) from unnest(changes) group by 1, 2, 3, 4 having sum(clicks) <> 0 order by 1, 2, 3, 4
  on conflict (newsletter_id, short_link_id, hour, rule) do update set clicks = l.clicks + excluded.clicks;

  insert into link_source_count as s (newsletter_id, short_link_id, device, referrer, country, raw, human)
  select newsletter_id, short_link_id, device, referrer, country, sum(clicks), coalesce(sum(clicks) filter (where rule = ''), 0)
  from unnest(changes) group by 1, 2, 3, 4, 5 having sum(clicks) <> 0 or coalesce(sum(clicks) filter (where rule = ''), 0) <> 0 order by 1, 2, 3, 4, 5
  on conflict (newsletter_id, short_link_id, device, referrer, country) do update set raw = s.raw + excluded.raw, human = s.human + excluded.human;
end $$;

create function count_new_clicks() returns trigger language plpgsql as $$
begin
  perform count_clicks(array(
    select (newsletter_id, short_link_id, publication_id, subscriber_id, date_trunc('hour', at), coalesce(excluded_by, ''), device,
      coalesce(referrer, ''), coalesce(country, ''), count(*))::click_change
    from came group by newsletter_id, short_link_id, publication_id, subscriber_id, date_trunc('hour', at), coalesce(excluded_by, ''), device,
      coalesce(referrer, ''), coalesce(country, '')));
  return null;
end $$;
create trigger count_clicks_inserted after insert on click referencing new table as came
  for each statement execute function count_new_clicks();

-- What changed is taken off as it was and counted as it is.
create function count_changed_clicks() returns trigger language plpgsql as $$
begin
  perform count_clicks(array(
    select (newsletter_id, short_link_id, publication_id, subscriber_id, date_trunc('hour', at), coalesce(excluded_by, ''), device,
      coalesce(referrer, ''), coalesce(country, ''), sum(clicks))::click_change
    from (select *, -1 as clicks from changed_from union all select *, 1 from changed_to) c
    group by newsletter_id, short_link_id, publication_id, subscriber_id, date_trunc('hour', at), coalesce(excluded_by, ''), device,
      coalesce(referrer, ''), coalesce(country, '') having sum(clicks) <> 0));
  return null;
end $$;
create trigger count_clicks_updated after update on click referencing old table as changed_from new table as changed_to
  for each statement execute function count_changed_clicks();
