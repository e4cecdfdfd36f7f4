-- A claim is a row of its own that names the deliveries of one worker, and no longer a state of each of them. So a delivery has one
-- version before its answer and one after it, and neither touches an index as long as all goes well: half of PostgreSQL's work.

-- First of all: a worker of the last release may be recording answers, and must not deadlock with this.
lock table sending, delivery, delivery_count in access exclusive mode;

create table delivery_claim (
  newsletter_id text not null,
  publication_id text not null,
  sending_id text not null,
  worker text not null,
  -- The deliveries that have no answer yet.
  subscriber_ids uuid[] not null check (cardinality(subscriber_ids) > 0),
  claimed integer not null generated always as (cardinality(subscriber_ids)) stored,
  -- After it the worker counts as gone.
  lease_ends_at timestamptz not null,
  primary key (newsletter_id, sending_id, worker),
  foreign key (newsletter_id, publication_id, sending_id)
    references sending (newsletter_id, publication_id, id) on delete cascade
);
-- Ids do not become shorter when they are compressed, and trying it takes longer than all the rest of a claim.
alter table delivery_claim alter column subscriber_ids set storage external;

-- Deliveries are claimed for the first time in the order of their subscribers. All up to this one were.
create table claim_position (
  newsletter_id text not null,
  sending_id text not null,
  claimed_through uuid not null,
  primary key (newsletter_id, sending_id),
  foreign key (newsletter_id, sending_id) references sending (newsletter_id, id) on delete cascade
);

insert into delivery_claim (newsletter_id, publication_id, sending_id, worker, subscriber_ids, lease_ends_at)
select newsletter_id, publication_id, sending_id, claimed_by, array_agg(subscriber_id), max(due_at)
from delivery where state = 'claimed' group by 1, 2, 3, 4;
-- Deliveries that wait now have a time at which they are due, and are found by it.
insert into claim_position (newsletter_id, sending_id, claimed_through)
select newsletter_id, id, 'ffffffff-ffff-ffff-ffff-ffffffffffff' from sending where started_at is not null;

drop index delivery_due;
drop index delivery_later;
drop index delivery_troubled;
alter table delivery drop constraint delivery_state_check;
-- One pass over the table. It does not fire the counting triggers.
alter table delivery
  alter column due_at drop default,
  alter column due_at drop not null,
  alter column due_at type timestamptz using case when state in ('queued', 'deferred') then due_at end,
  alter column claimed_by type text using case when state = 'uncertain' then claimed_by end,
  alter column state type text using case when state = 'claimed' then 'queued' else state end,
  add column trouble text generated always as
    (case when state in ('deferred', 'failed', 'suppressed', 'uncertain') then state end) stored,
  add constraint delivery_state_check
    check (state in ('queued', 'accepted', 'deferred', 'failed', 'suppressed', 'uncertain')),
  add constraint delivery_due_check
    check (case state when 'queued' then true when 'deferred' then due_at is not null else due_at is null end);
comment on column delivery.due_at is 'When it may be tried again. Null when it was never tried, when a worker has claimed it, and when it has ended.';
comment on column delivery.claimed_by is 'The worker whose claim ended without an answer. Its answer still counts when it comes.';
comment on column delivery.trouble is 'The state, unless all goes well. An index on the state itself would be written anew with every answer.';
create index delivery_due on delivery (newsletter_id, sending_id, due_at) where due_at is not null;
create index delivery_troubled on delivery (newsletter_id, publication_id, trouble, subscriber_id) where trouble is not null;
-- The version with the answer finds room on the page of the first one, so no index is written.
alter table delivery set (fillfactor = 45);

-- A delivery that a worker has claimed is queued, and is counted as claimed wherever people read.
drop view publication_count;
alter table delivery_count drop constraint delivery_count_check, drop constraint delivery_count_check1;
update delivery_count set queued = queued + claimed where claimed > 0;
alter table delivery_count drop column claimed;
alter table delivery_count
  add check (intended = queued + accepted + deferred + failed + suppressed + uncertain),
  add check (least(queued, accepted, deferred, failed, suppressed, uncertain) >= 0);
comment on column delivery_count.queued is 'Those that a worker has claimed included.';

create view claimed_delivery as
select newsletter_id, publication_id, sending_id, worker, unnest(subscriber_ids) as subscriber_id from delivery_claim;

create view sending_count as
select c.newsletter_id, c.sending_id, c.intended, c.queued - k.claimed as queued, k.claimed, c.accepted, c.deferred, c.failed,
  c.suppressed, c.uncertain, c.opened
from delivery_count c
cross join lateral (
  select coalesce(sum(claimed), 0)::integer as claimed from delivery_claim
  where newsletter_id = c.newsletter_id and sending_id = c.sending_id
) k;

-- The sums of a publication: nobody is in two of its sendings, so they add up.
create view publication_count as
select s.newsletter_id, s.publication_id, sum(c.intended)::integer as intended, sum(c.queued)::integer as queued,
  sum(c.claimed)::integer as claimed, sum(c.accepted)::integer as accepted, sum(c.deferred)::integer as deferred,
  sum(c.failed)::integer as failed, sum(c.suppressed)::integer as suppressed, sum(c.uncertain)::integer as uncertain,
  sum(c.opened)::integer as opened
from sending s join sending_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
group by s.newsletter_id, s.publication_id;

create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count as c
      (newsletter_id, sending_id, intended, queued, accepted, deferred, failed, suppressed, uncertain)
      select newsletter_id, sending_id, count(*),
        count(*) filter (where state = 'queued'), count(*) filter (where state = 'accepted'),
        count(*) filter (where state = 'deferred'), count(*) filter (where state = 'failed'),
        count(*) filter (where state = 'suppressed'), count(*) filter (where state = 'uncertain')
      from after_rows group by 1, 2 order by 1, 2
      on conflict (newsletter_id, sending_id) do update set
        intended = c.intended + excluded.intended, queued = c.queued + excluded.queued,
        accepted = c.accepted + excluded.accepted, deferred = c.deferred + excluded.deferred,
        failed = c.failed + excluded.failed, suppressed = c.suppressed + excluded.suppressed,
        uncertain = c.uncertain + excluded.uncertain;
    perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
  else
    update delivery_count c set
      queued = c.queued + d.queued, accepted = c.accepted + d.accepted, deferred = c.deferred + d.deferred,
      failed = c.failed + d.failed, suppressed = c.suppressed + d.suppressed, uncertain = c.uncertain + d.uncertain
    from (
      select newsletter_id, sending_id,
        coalesce(sum(n) filter (where state = 'queued'), 0) as queued,
        coalesce(sum(n) filter (where state = 'accepted'), 0) as accepted,
        coalesce(sum(n) filter (where state = 'deferred'), 0) as deferred,
        coalesce(sum(n) filter (where state = 'failed'), 0) as failed,
        coalesce(sum(n) filter (where state = 'suppressed'), 0) as suppressed,
        coalesce(sum(n) filter (where state = 'uncertain'), 0) as uncertain
      from (
        select newsletter_id, sending_id, state, count(*)::integer as n from after_rows group by 1, 2, 3
        union all select newsletter_id, sending_id, state, -count(*)::integer from before_rows group by 1, 2, 3
      ) both_sides group by 1, 2
    ) d
    where c.newsletter_id = d.newsletter_id and c.sending_id = d.sending_id
      and (d.queued, d.accepted, d.deferred, d.failed, d.suppressed, d.uncertain) <> (0, 0, 0, 0, 0, 0);
    if found then
      perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
    end if;
  end if;
  return null;
end $$;

-- The new columns have no statistics yet, and the planner would read whole tables.
analyze delivery;
