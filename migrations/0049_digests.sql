-- Less often: one mail in place of the publications of a week or month.

alter table newsletter
  -- Whether subscribers are offered it.
  add column digests boolean not null default true,
  -- The hour of both in the newsletter's timezone, and the day of the weekly one: 1 is Monday. The monthly one goes on the first.
  add column digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
  add column digest_weekday smallint not null default 1 check (digest_weekday between 1 and 7);

alter table subscriber
  add column pace text not null default 'every' check (pace in ('every', 'weekly', 'monthly')),
  add column pace_at timestamptz;
comment on column subscriber.pace is 'How often they get mail: every publication, or a digest of a week or month.';
comment on column subscriber.pace_at is 'When they last chose a pace. What waits for a digest goes with the first one after it.';

create index subscriber_pace on subscriber (newsletter_id, pace) where pace <> 'every';
alter table import_row add column pace text;

-- A digest is a publication that nobody wrote. It is never on the web.
alter table publication add column digest text check (digest in ('weekly', 'monthly'));

-- A publication that somebody gets in a digest and not by itself. It stays, so that nobody gets a publication twice.
create table digest_item (
  newsletter_id text not null,
  publication_id text not null,
  subscriber_id uuid not null,
  -- The sending that it was left out of.
  sending_id text not null,
  at timestamptz not null default now(),
  -- When it was put into a digest; null while it waits.
  digested_at timestamptz,
  primary key (newsletter_id, publication_id, subscriber_id),
  foreign key (newsletter_id, publication_id, sending_id)
    references sending (newsletter_id, publication_id, id) on delete cascade,
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create index digest_item_waiting on digest_item (newsletter_id, subscriber_id) where digested_at is null;
-- To erase a person.
create index digest_item_subscriber on digest_item (newsletter_id, subscriber_id);

-- The last moment of which digests were made. Whoever makes them holds its row.
create table digest_run (
  newsletter_id text not null references newsletter (id) on delete cascade,
  pace text not null check (pace in ('weekly', 'monthly')),
  at timestamptz not null,
  primary key (newsletter_id, pace)
);

alter table event drop constraint event_kind_check,
  add constraint event_kind_check check (kind in ('asked', 'confirmed', 'unsubscribed', 'returned', 'opened', 'bounced',
    'complained', 'restored', 'chose_every', 'chose_weekly', 'chose_monthly', 'moved'));

-- A digest has the status of its sending, although its publication stays a draft.
create or replace view publication_status as
select p.newsletter_id, p.id as publication_id, s.id as sending_id,
  case when p.state <> 'published' and p.digest is null then p.state else coalesce(s.state, 'sent') end as status,
  case when p.state = 'published' or p.digest is not null then s.stopped_by else p.unscheduled_by end as stopped_by,
  s.stopped_answer, s.started_at,
  -- On the web only: it is finished when it is published.
  case when p.state = 'published' and s.id is null then p.published_at else s.finished_at end as finished_at
from publication p
left join lateral (
  select * from sending s
  where s.newsletter_id = p.newsletter_id and s.publication_id = p.id and s.state <> 'planned'
    and (p.state = 'published' or p.digest is not null) and not s.welcome
  order by array_position(array['sending', 'paused', 'sent', 'cancelled'], s.state), s.created_at desc, s.id
  limit 1
) s on true;
