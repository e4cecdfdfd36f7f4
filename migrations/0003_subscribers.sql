-- People who gave an address to one newsletter, and the proof that they wanted to.

create table subscriber (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- UUIDv7 made by the application: unguessable (74 random bits) and inserted in order.
  id uuid not null,
  email text not null,
  email_normalised text not null,
  name text,
  language text not null check (language in ('en', 'fr')),
  status text not null check (status in ('pending', 'active', 'unsubscribed', 'bounced', 'complained')),
  source text not null default 'page',
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  left_at timestamptz,
  left_reason text,
  -- When the last confirmation mail was asked for: the limit for one address, kept across restarts.
  asked_at timestamptz not null default now(),
  primary key (newsletter_id, id),
  check (status <> 'active' or confirmed_at is not null)
);
create unique index subscriber_email on subscriber (newsletter_id, email_normalised);
create index subscriber_status on subscriber (newsletter_id, status, id);

-- A receipt for every yes and for its withdrawal: the exact words, their language, when, from where and by what means.
create table consent (
  newsletter_id text not null,
  id uuid not null,
  subscriber_id uuid not null,
  purpose text not null default 'newsletter',
  act text not null check (act in ('asked', 'given', 'withdrawn')),
  wording text not null,
  wording_version text not null,
  language text not null check (language in ('en', 'fr')),
  means text not null,
  network text,
  at timestamptz not null default now(),
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create index consent_subscriber on consent (newsletter_id, subscriber_id);

create table suppression (
  newsletter_id text not null references newsletter (id) on delete cascade,
  email_normalised text not null,
  reason text not null check (reason in ('bounced', 'complained', 'by_hand')),
  detail text not null default '',
  at timestamptz not null default now(),
  primary key (newsletter_id, email_normalised)
);

-- What happened, newest first, for the activity line and for counting opens. Partitioned by month so that old months
-- can be dropped or moved without a rewrite; `event_other` catches what no month covers.
create table event (
  newsletter_id text not null,
  id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('asked', 'confirmed', 'unsubscribed', 'returned', 'opened', 'bounced', 'complained')),
  subscriber_id uuid,
  publication_id text,
  primary key (newsletter_id, at, id)
) partition by range (at);
create table event_other partition of event default;
create index event_publication on event (newsletter_id, publication_id, kind) where publication_id is not null;

-- Makes the partitions of the months between two days; called at start, daily, and by the seed.
create function ensure_event_partitions(from_day date, to_day date) returns void language plpgsql as $$
declare
  month date := date_trunc('month', from_day);
begin
  while month <= to_day loop
    execute format('create table if not exists %I partition of event for values from (%L) to (%L)',
      'event_' || to_char(month, 'YYYY_MM'), month, (month + interval '1 month')::date);
    month := month + interval '1 month';
  end loop;
end $$;

-- Joined and left per day of the newsletter's own calendar. Kept by trigger, so the live count and the growth chart are
-- a sum over days for 300 subscribers and for 3 million alike, whoever changes a subscriber.
create table daily_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  day date not null,
  joined integer not null default 0,
  departed integer not null default 0,
  primary key (newsletter_id, day)
);

create function count_subscribers() returns trigger language plpgsql as $$
begin
  -- Only what enters or leaves `active` counts; asking to subscribe touches no shared row and stays parallel.
  if tg_op = 'INSERT' then
    insert into daily_count as d (newsletter_id, day, joined)
      select a.newsletter_id, (a.confirmed_at at time zone n.timezone)::date, count(*)
      from after_rows a join newsletter n on n.id = a.newsletter_id
      where a.confirmed_at is not null group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update set joined = d.joined + excluded.joined;
    insert into daily_count as d (newsletter_id, day, departed)
      select a.newsletter_id, (a.left_at at time zone n.timezone)::date, count(*)
      from after_rows a join newsletter n on n.id = a.newsletter_id
      where a.confirmed_at is not null and a.status <> 'active' and a.left_at is not null group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update set departed = d.departed + excluded.departed;
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
create trigger count_inserted after insert on subscriber referencing new table as after_rows
  for each statement execute function count_subscribers();
create trigger count_updated after update on subscriber referencing old table as before_rows new table as after_rows
  for each statement execute function count_subscribers();
create trigger count_deleted after delete on subscriber referencing old table as before_rows
  for each statement execute function count_subscribers();
