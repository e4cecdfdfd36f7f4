-- A sending is one run of a publication to one audience. A publication may have several, and nobody is in two of them:
-- the primary key of `delivery` stays (newsletter, publication, subscriber).
--
-- Every publication that was sent, is being sent or is scheduled gets its first sending, which has the id of the publication:
-- the journals of the last release contain only the id of the publication.

-- All at once and first of all: a worker of the last release may be recording answers, and must not deadlock with this.
lock table newsletter, publication, delivery, delivery_count in access exclusive mode;

create table sending (
  newsletter_id text not null,
  id text not null,
  publication_id text not null,
  -- The audience as JSON: {"kind": "everyone"}.
  audience jsonb not null,
  state text not null check (state in ('planned', 'sending', 'paused', 'sent', 'cancelled')),
  created_at timestamptz not null default now(),
  -- The time at which a planned sending begins.
  scheduled_at timestamptz,
  -- When its deliveries were written; null while it is planned, and until the first worker has taken it up.
  started_at timestamptz,
  -- When no delivery waited any more, or when it was cancelled.
  finished_at timestamptz,
  -- Why the server paused it: an error code, and the relay's answer.
  stopped_by text,
  stopped_answer text,
  primary key (newsletter_id, id),
  -- The foreign key of deliveries refers to it, so that a delivery and its sending belong to the same publication.
  unique (newsletter_id, publication_id, id),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
);
create unique index sending_id on sending (id);
-- For the query of the workers, every second.
create index sending_running on sending (newsletter_id, id) where state = 'sending';

insert into sending (newsletter_id, id, publication_id, audience, state, created_at, scheduled_at, started_at, finished_at,
  stopped_by, stopped_answer)
select newsletter_id, id, id, '{"kind": "everyone"}', case status when 'scheduled' then 'planned' else status end,
  coalesce(started_at, published_at, edited_at), scheduled_at, started_at, finished_at, stopped_by, stopped_answer
from publication p
where status <> 'draft' and channel = 'everywhere' or exists (
  select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id);

-- A column that is generated is filled while the table is written anew, once, without firing the counting triggers.
alter table delivery add column sending_id text not null generated always as (publication_id) stored;
alter table delivery alter column sending_id drop expression;
alter table delivery drop constraint delivery_newsletter_id_publication_id_fkey;
alter table delivery add foreign key (newsletter_id, publication_id, sending_id)
  references sending (newsletter_id, publication_id, id) on delete cascade;
drop index delivery_due;
drop index delivery_later;
create index delivery_due on delivery (newsletter_id, sending_id, due_at) where state in ('queued', 'deferred', 'claimed');
create index delivery_later on delivery (newsletter_id, sending_id, due_at) where state = 'deferred';

-- The sums of each sending. A publication's are those of its sendings together.
alter table delivery_count drop constraint delivery_count_newsletter_id_publication_id_fkey;
alter table delivery_count rename column publication_id to sending_id;
alter table delivery_count add foreign key (newsletter_id, sending_id) references sending (newsletter_id, id) on delete cascade;

create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count as c
      (newsletter_id, sending_id, intended, queued, claimed, accepted, deferred, failed, suppressed, uncertain)
      select newsletter_id, sending_id, count(*),
        count(*) filter (where state = 'queued'), count(*) filter (where state = 'claimed'),
        count(*) filter (where state = 'accepted'), count(*) filter (where state = 'deferred'),
        count(*) filter (where state = 'failed'), count(*) filter (where state = 'suppressed'),
        count(*) filter (where state = 'uncertain')
      from after_rows group by 1, 2 order by 1, 2
      on conflict (newsletter_id, sending_id) do update set
        intended = c.intended + excluded.intended, queued = c.queued + excluded.queued,
        claimed = c.claimed + excluded.claimed, accepted = c.accepted + excluded.accepted,
        deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed,
        suppressed = c.suppressed + excluded.suppressed, uncertain = c.uncertain + excluded.uncertain;
    perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
  else
    update delivery_count c set
      queued = c.queued + d.queued, claimed = c.claimed + d.claimed, accepted = c.accepted + d.accepted,
      deferred = c.deferred + d.deferred, failed = c.failed + d.failed, suppressed = c.suppressed + d.suppressed,
      uncertain = c.uncertain + d.uncertain
    from (
      select newsletter_id, sending_id,
        sum(n) filter (where state = 'queued') as queued, sum(n) filter (where state = 'claimed') as claimed,
        sum(n) filter (where state = 'accepted') as accepted, sum(n) filter (where state = 'deferred') as deferred,
        sum(n) filter (where state = 'failed') as failed, sum(n) filter (where state = 'suppressed') as suppressed,
        sum(n) filter (where state = 'uncertain') as uncertain
      from (
        select newsletter_id, sending_id, s.state, coalesce(t.n, 0) as n
        from (select distinct newsletter_id, sending_id from after_rows) p
        cross join (values ('queued'), ('claimed'), ('accepted'), ('deferred'), ('failed'), ('suppressed'), ('uncertain')) s (state)
        left join (
          select newsletter_id, sending_id, state, sum(n)::integer as n from (
            select newsletter_id, sending_id, state, 1 as n from after_rows
            union all select newsletter_id, sending_id, state, -1 from before_rows
          ) both_sides group by 1, 2, 3
        ) t using (newsletter_id, sending_id, state)
      ) moved group by 1, 2
    ) d
    where c.newsletter_id = d.newsletter_id and c.sending_id = d.sending_id
      and (d.queued, d.claimed, d.accepted, d.deferred, d.failed, d.suppressed, d.uncertain) <> (0, 0, 0, 0, 0, 0, 0);
    if found then
      perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
    end if;
  end if;
  return null;
end $$;

-- The publication keeps what is written and what is on the web. Its state follows from the two times.
drop trigger publication_changed on publication;
drop trigger forget_samples on publication;
drop index publication_status;
alter table publication add column unscheduled_by text;
update publication set unscheduled_by = stopped_by, scheduled_at = null where status = 'draft';
update publication set published_at = coalesce(started_at, finished_at, edited_at)
where status not in ('draft', 'scheduled') and published_at is null;
alter table publication
  drop column status, drop column started_at, drop column finished_at, drop column stopped_by, drop column stopped_answer,
  add column state text not null generated always as (
    case when published_at is not null then 'published' when scheduled_at is not null then 'scheduled' else 'draft' end
  ) stored check (state in ('draft', 'scheduled', 'published'));
comment on column publication.scheduled_at is 'When it shall appear, or was to appear, on the web.';
comment on column publication.unscheduled_by is 'Why it is a draft again when its time came, as a code of the error table.';
create index publication_edited on publication (newsletter_id, edited_at desc, id desc);
create trigger publication_changed
  after insert or update of title, scheduled_at, published_at, unscheduled_by on publication
  for each row execute function publication_changed();

-- The workers are woken on a channel of their own; browsers are told on theirs.
create function sending_changed() returns trigger language plpgsql as $$
begin
  perform notify_live(new.newsletter_id, 'publications');
  perform pg_notify('sending', new.newsletter_id);
  return null;
end $$;
create trigger sending_changed after insert or update of state on sending
  for each row execute function sending_changed();

-- The time in which a sending was paused does not count for its rate.
create or replace function forget_samples() returns trigger language plpgsql as $$
begin
  update delivery_count set sampled_at = '{}', sampled = '{}'
  where newsletter_id = new.newsletter_id and sending_id = new.id;
  return null;
end $$;
create trigger forget_samples after update of state on sending for each row
  when (new.state = 'sending' and old.state <> 'sending') execute function forget_samples();

-- The only definition of the status that the owner sees, from the state of the publication and of its sendings. Of several
-- sendings the one that needs most attention decides; a planned one does not change the status.
create view publication_status as
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
  order by array_position(array['sending', 'paused', 'sent', 'cancelled'], s.state), s.created_at desc, s.id
  limit 1
) s on true;

-- The sums of a publication: nobody is in two of its sendings, so they add up.
create view publication_count as
select s.newsletter_id, s.publication_id, sum(c.intended)::integer as intended, sum(c.queued)::integer as queued,
  sum(c.claimed)::integer as claimed, sum(c.accepted)::integer as accepted, sum(c.deferred)::integer as deferred,
  sum(c.failed)::integer as failed, sum(c.suppressed)::integer as suppressed, sum(c.uncertain)::integer as uncertain,
  sum(c.opened)::integer as opened
from sending s join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
group by s.newsletter_id, s.publication_id;

-- The new columns have no statistics yet, and the planner would read whole tables.
analyze sending;
analyze delivery;
