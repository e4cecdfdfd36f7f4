-- A copy that was caught on this machine went to nobody, so it is not one that a relay accepted: it has a state and a count of its own.

-- First of all: a worker of the last release may be recording answers, and must not deadlock with this.
lock table sending, delivery, delivery_count in access exclusive mode;

alter table delivery
  drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('queued', 'accepted', 'caught', 'deferred', 'failed', 'suppressed', 'uncertain'));

alter table delivery_count
  add column caught integer not null default 0,
  drop constraint delivery_count_check,
  drop constraint delivery_count_check1,
  add check (intended = queued + accepted + caught + deferred + failed + suppressed + uncertain),
  add check (least(queued, accepted, caught, deferred, failed, suppressed, uncertain) >= 0);

create or replace view sending_count as
select c.newsletter_id, c.sending_id, c.intended, c.queued - k.claimed as queued, k.claimed, c.accepted, c.deferred, c.failed,
  c.suppressed, c.uncertain, c.opened, c.caught
from delivery_count c
cross join lateral (
  select coalesce(sum(claimed), 0)::integer as claimed from delivery_claim
  where newsletter_id = c.newsletter_id and sending_id = c.sending_id
) k;

create or replace view publication_count as
select s.newsletter_id, s.publication_id, sum(c.intended)::integer as intended, sum(c.queued)::integer as queued,
  sum(c.claimed)::integer as claimed, sum(c.accepted)::integer as accepted, sum(c.deferred)::integer as deferred,
  sum(c.failed)::integer as failed, sum(c.suppressed)::integer as suppressed, sum(c.uncertain)::integer as uncertain,
  sum(c.opened)::integer + coalesce((select o.opened from open_count o
    where o.newsletter_id = s.newsletter_id and o.publication_id = s.publication_id), 0) as opened,
  sum(c.caught)::integer as caught
from sending s join sending_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
group by s.newsletter_id, s.publication_id;

create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count as c
      (newsletter_id, sending_id, intended, queued, accepted, caught, deferred, failed, suppressed, uncertain)
      select newsletter_id, sending_id, count(*),
        count(*) filter (where state = 'queued'), count(*) filter (where state = 'accepted'),
        count(*) filter (where state = 'caught'),
        count(*) filter (where state = 'deferred'), count(*) filter (where state = 'failed'),
        count(*) filter (where state = 'suppressed'), count(*) filter (where state = 'uncertain')
      from after_rows group by 1, 2 order by 1, 2
      on conflict (newsletter_id, sending_id) do update set
        intended = c.intended + excluded.intended, queued = c.queued + excluded.queued,
        accepted = c.accepted + excluded.accepted, caught = c.caught + excluded.caught,
        deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed,
        suppressed = c.suppressed + excluded.suppressed, uncertain = c.uncertain + excluded.uncertain;
    perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
  else
    update delivery_count c set
      queued = c.queued + d.queued, accepted = c.accepted + d.accepted, caught = c.caught + d.caught,
      deferred = c.deferred + d.deferred, failed = c.failed + d.failed, suppressed = c.suppressed + d.suppressed,
      uncertain = c.uncertain + d.uncertain
    from (
      select newsletter_id, sending_id,
        coalesce(sum(n) filter (where state = 'queued'), 0) as queued,
        coalesce(sum(n) filter (where state = 'accepted'), 0) as accepted,
        coalesce(sum(n) filter (where state = 'caught'), 0) as caught,
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
      and (d.queued, d.accepted, d.caught, d.deferred, d.failed, d.suppressed, d.uncertain) <> (0, 0, 0, 0, 0, 0, 0);
    if found then
      perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
    end if;
  end if;
  return null;
end $$;

-- Deliveries that were caught before: the catcher's answer says so. Their count moves with them, and no answer came just now.
drop trigger sample_answers on delivery_count;
update delivery set state = 'caught' where state = 'accepted' and answer ~ '^(250[ -])?2\.0\.0 caught as [0-9a-f-]{36}$';

create or replace function sample_answers() returns trigger language plpgsql as $$
declare
  answers integer := new.accepted + new.caught + new.deferred + new.failed + new.uncertain
    - old.accepted - old.caught - old.deferred - old.failed - old.uncertain;
  moment timestamptz := clock_timestamp();
begin
  if answers <= 0 then
    return new;
  end if;
  if coalesce(new.sampled_at[array_upper(new.sampled_at, 1)] < moment - interval '2 seconds', true) then
    new.sampled_at := new.sampled_at[greatest(1, array_length(new.sampled_at, 1) - 14):] || moment;
    new.sampled := new.sampled[greatest(1, array_length(new.sampled, 1) - 14):] || new.answered;
  end if;
  new.answered := new.answered + answers;
  return new;
end $$;
create trigger sample_answers before update on delivery_count for each row
  when (old.accepted <> new.accepted or old.caught <> new.caught or old.deferred <> new.deferred
    or old.failed <> new.failed or old.uncertain <> new.uncertain)
  execute function sample_answers();
