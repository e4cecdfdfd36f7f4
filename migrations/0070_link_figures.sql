-- Short links that have a name, an end that leads on and can be disabled, and figures that are counted as clicks are written.

alter table short_link
  add column name text not null default '',
  -- Where it leads once it has ended or is disabled; null: to a page that says so.
  add column fallback text,
  add column disabled_at timestamptz,
  -- Shown to nobody: only programs that follow every address of a mail find it.
  add column canary boolean not null default false;

-- Values that somebody puts on the links of their campaigns again and again.
create table utm_template (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  name text not null,
  source text not null,
  medium text not null default '',
  campaign text not null default '',
  term text not null default '',
  content text not null default '',
  primary key (newsletter_id, id)
);
create unique index utm_template_name on utm_template (newsletter_id, lower(name));

-- What browsers and programs say they are. Rules are applied again to what they said.
create table user_agent (
  id integer primary key generated always as identity,
  agent text not null
);
create unique index user_agent_agent on user_agent (md5(agent));

alter table click
  -- The version of the published rules that judged it.
  add column rules smallint not null default 1,
  add column agent_id integer,
  -- What else a rule asks about: 1 a test mail, 2 no GET, 4 fetched in advance, 8 a network of a data centre. Null: not known any more.
  add column signs smallint,
  -- The host of the page that led here.
  add column referrer text,
  -- ISO 3166-1.
  add column country text check (country ~ '^[A-Z]{2}$');
create index click_at on click (newsletter_id, at);

-- Nothing refers to the link, as in `click`.
create table link_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  short_link_id text not null,
  hour timestamptz not null,
  -- The rule that excluded them; '' for clicks of people.
  rule text not null,
  -- The figures are the sums of all parts. Connections write different ones, so that they do not wait for one another.
  part smallint not null,
  clicks bigint not null,
  primary key (newsletter_id, short_link_id, hour, rule, part)
) with (fillfactor = 50);

create table link_facet_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  short_link_id text not null,
  facet text not null check (facet in ('device', 'referrer', 'country')),
  -- '' when it is not known.
  value text not null,
  part smallint not null,
  raw bigint not null,
  human bigint not null,
  primary key (newsletter_id, short_link_id, facet, value, part)
) with (fillfactor = 50);

create table link_result (
  newsletter_id text not null references newsletter (id) on delete cascade,
  short_link_id text not null,
  part smallint not null,
  raw bigint not null default 0,
  human bigint not null default 0,
  people bigint not null default 0,
  primary key (newsletter_id, short_link_id, part)
) with (fillfactor = 50);

-- Who clicked a link, by the rules for clicks of people, where the newsletter keeps who it was.
create table link_clicker (
  newsletter_id text not null,
  short_link_id text not null,
  subscriber_id uuid not null,
  primary key (newsletter_id, short_link_id, subscriber_id)
);
create index link_clicker_subscriber on link_clicker (newsletter_id, subscriber_id);

drop trigger count_clicks_inserted on click;
drop trigger count_clicks_updated on click;
drop function count_clicks();

/* Counts rows of clicks: `1` those that came, `-1` those that are otherwise now. What changed is taken off as it was and counted as it is. */
create function count_clicks() returns trigger language plpgsql as $$
declare
  step constant integer := tg_argv[0];
  of_this constant integer := pg_backend_pid() % 16;
  -- Most of what is written at once is of few kinds, and each kind costs a statement.
  has_readers constant boolean := exists (select from counted where subscriber_id is not null and excluded_by is null);
  has_publications constant boolean := exists (select from counted where publication_id is not null);
begin
  if not exists (select from counted) then return null; end if;
  if not has_readers then
    null;
  elsif step = 1 then
    with clickers as (
      insert into link_clicker (newsletter_id, short_link_id, subscriber_id)
      select distinct newsletter_id, short_link_id, subscriber_id from counted
      where subscriber_id is not null and excluded_by is null order by 1, 2, 3
      on conflict do nothing returning newsletter_id, short_link_id
    )
    insert into link_result as r (newsletter_id, short_link_id, part, people)
    select newsletter_id, short_link_id, of_this, count(*) from clickers group by 1, 2 order by 1, 2
    on conflict (newsletter_id, short_link_id, part) do update set people = r.people + excluded.people;
    with clickers as (
      insert into publication_clicker (newsletter_id, publication_id, subscriber_id)
      select distinct newsletter_id, publication_id, subscriber_id from counted
      where publication_id is not null and subscriber_id is not null and excluded_by is null order by 1, 2, 3
      on conflict do nothing returning newsletter_id, publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, people)
    select newsletter_id, publication_id, of_this, count(*) from clickers group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set people = r.people + excluded.people;
  else
    -- Whoever has no other click of a person there is no clicker any more.
    with gone as (
      delete from link_clicker k using (
        select distinct newsletter_id, short_link_id, subscriber_id from counted where subscriber_id is not null and excluded_by is null
      ) b
      where k.newsletter_id = b.newsletter_id and k.short_link_id = b.short_link_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.short_link_id = b.short_link_id and c.excluded_by is null)
      returning k.newsletter_id, k.short_link_id
    )
    insert into link_result as r (newsletter_id, short_link_id, part, people)
    select newsletter_id, short_link_id, of_this, -count(*) from gone group by 1, 2 order by 1, 2
    on conflict (newsletter_id, short_link_id, part) do update set people = r.people + excluded.people;
    with gone as (
      delete from publication_clicker k using (
        select distinct newsletter_id, publication_id, subscriber_id from counted
        where publication_id is not null and subscriber_id is not null and excluded_by is null
      ) b
      where k.newsletter_id = b.newsletter_id and k.publication_id = b.publication_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.publication_id = b.publication_id and c.excluded_by is null)
      returning k.newsletter_id, k.publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, people)
    select newsletter_id, publication_id, of_this, -count(*) from gone group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set people = r.people + excluded.people;
  end if;

  if has_publications then
    insert into publication_result as r (newsletter_id, publication_id, part, raw, human)
    select newsletter_id, publication_id, of_this, step * count(*), step * count(*) filter (where excluded_by is null)
    from counted where publication_id is not null group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human;
  end if;

  insert into link_result as r (newsletter_id, short_link_id, part, raw, human)
  select newsletter_id, short_link_id, of_this, step * count(*), step * count(*) filter (where excluded_by is null)
  from counted group by 1, 2 order by 1, 2
  on conflict (newsletter_id, short_link_id, part) do update set raw = r.raw + excluded.raw, human = r.human + excluded.human;

  insert into link_count as l (newsletter_id, short_link_id, hour, rule, part, clicks)
  select newsletter_id, short_link_id, date_trunc('hour', at), coalesce(excluded_by, ''), of_this, step * count(*)
  from counted group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (newsletter_id, short_link_id, hour, rule, part) do update set clicks = l.clicks + excluded.clicks;

  insert into link_facet_count as f (newsletter_id, short_link_id, facet, value, part, raw, human)
  select newsletter_id, short_link_id, v.facet, v.value, of_this, step * count(*), step * count(*) filter (where excluded_by is null)
  from counted c cross join lateral (values ('device', c.device), ('referrer', coalesce(c.referrer, '')), ('country', coalesce(c.country, ''))) v (facet, value)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (newsletter_id, short_link_id, facet, value, part) do update set raw = f.raw + excluded.raw, human = f.human + excluded.human;
  return null;
end $$;

lock table click in share row exclusive mode;
-- What was counted of publications stays; links are counted from the beginning.
insert into link_clicker (newsletter_id, short_link_id, subscriber_id)
select c.newsletter_id, c.short_link_id, c.subscriber_id from click c join newsletter n on n.id = c.newsletter_id
where c.subscriber_id is not null and c.excluded_by is null group by 1, 2, 3;
insert into link_result (newsletter_id, short_link_id, part, raw, human, people)
select c.newsletter_id, c.short_link_id, 0, count(*), count(*) filter (where excluded_by is null),
  (select count(*) from link_clicker k where k.newsletter_id = c.newsletter_id and k.short_link_id = c.short_link_id)
from click c join newsletter n on n.id = c.newsletter_id group by 1, 2;
insert into link_count (newsletter_id, short_link_id, hour, rule, part, clicks)
select c.newsletter_id, c.short_link_id, date_trunc('hour', c.at), coalesce(c.excluded_by, ''), 0, count(*)
from click c join newsletter n on n.id = c.newsletter_id group by 1, 2, 3, 4;
insert into link_facet_count (newsletter_id, short_link_id, facet, value, part, raw, human)
select c.newsletter_id, c.short_link_id, v.facet, v.value, 0, count(*), count(*) filter (where excluded_by is null)
from click c join newsletter n on n.id = c.newsletter_id
cross join lateral (values ('device', c.device), ('referrer', ''), ('country', '')) v (facet, value) group by 1, 2, 3, 4;

-- Triggers run in the order of their names: what a row was is taken off before what it is is counted.
create trigger count_clicks_inserted after insert on click referencing new table as counted
  for each statement execute function count_clicks('1');
create trigger count_clicks_updated_from after update on click referencing old table as counted
  for each statement execute function count_clicks('-1');
create trigger count_clicks_updated_to after update on click referencing new table as counted
  for each statement execute function count_clicks('1');

-- The rules of today applied to older clicks, which says what that changed.
create table click_replay (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  version smallint not null,
  -- The last click that was judged.
  last_id bigint not null default 0,
  judged bigint not null default 0,
  -- Of older versions that kept too little to be judged again.
  unknown bigint not null default 0,
  -- {"bot>": 3}: how many were excluded by the rule before the sign and are by the one after it now; '' for clicks of people.
  changes jsonb not null default '{}',
  begun_at timestamptz not null,
  ended_at timestamptz,
  primary key (newsletter_id, id)
);
create unique index click_replay_one on click_replay (newsletter_id) where ended_at is null;
