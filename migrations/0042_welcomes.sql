-- A publication that everybody gets who confirms, or who joins a segment.

-- It goes on until its welcome ends: people are added to it as they come.
alter table sending add column welcome boolean not null default false;

create table welcome (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  -- Null: the welcome of the newsletter, after a confirmation.
  segment_id integer,
  publication_id text not null,
  sending_id text not null,
  delay_days smallint not null check (delay_days between 0 and 14),
  -- When those who joined the segment are looked for next.
  look_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, segment_id) references segment (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, publication_id, sending_id)
    references sending (newsletter_id, publication_id, id) on delete cascade,
  check ((segment_id is null) = (look_at is null))
);
create unique index welcome_of on welcome (newsletter_id, segment_id) nulls not distinct;

-- Those who confirmed and are not in the sending of the welcome yet. They write here and wait for nobody.
create table newcomer (
  newsletter_id text not null,
  subscriber_id uuid not null,
  primary key (newsletter_id, subscriber_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);

-- Whom a welcome no longer concerns: who was added to its sending, and who was in the segment before it had a welcome. It outlives the
-- welcome, so that whoever comes back under another one is not welcomed twice.
create table welcomed (
  newsletter_id text not null,
  subscriber_id uuid not null,
  -- 0: the newsletter itself.
  segment_id integer not null,
  at timestamptz not null default now(),
  primary key (newsletter_id, subscriber_id, segment_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);

-- A welcome goes on beside the sending that everybody is told about.
create or replace view publication_status as
select p.newsletter_id, p.id as publication_id, s.id as sending_id,
  case when p.state <> 'published' then p.state else coalesce(s.state, 'sent') end as status,
  case when p.state = 'published' then s.stopped_by else p.unscheduled_by end as stopped_by,
  s.stopped_answer, s.started_at,
  -- On the web only: it is finished when it is published.
  case when p.state = 'published' and s.id is null then p.published_at else s.finished_at end as finished_at
from publication p
left join lateral (
  select * from sending s
  where s.newsletter_id = p.newsletter_id and s.publication_id = p.id and s.state <> 'planned' and p.state = 'published'
    and not s.welcome
  order by array_position(array['sending', 'paused', 'sent', 'cancelled'], s.state), s.created_at desc, s.id
  limit 1
) s on true;
