-- What the page of a sending shows, without reading the deliveries themselves: how fast they are answered, how many were
-- opened, and the few that did not go well.

alter table delivery_count
  -- Openings, added by who writes `opened_at`.
  add column opened integer not null default 0,
  -- Answers of relays so far, each attempt one, and what they were at some moments of the last half minute of work, the
  -- oldest first.
  add column answered bigint not null default 0,
  add column sampled_at timestamptz[] not null default '{}',
  add column sampled bigint[] not null default '{}';

update delivery_count c set opened = o.opened
from (select newsletter_id, publication_id, count(*) as opened from delivery where opened_at is not null group by 1, 2) o
where c.newsletter_id = o.newsletter_id and c.publication_id = o.publication_id;

-- Runs once for each batch that is written down, whatever its size. A claim takes deferred ones back, so only what
-- grows is an answer.
create function sample_answers() returns trigger language plpgsql as $$
declare
  answers integer := new.accepted + new.deferred + new.failed + new.uncertain
    - old.accepted - old.deferred - old.failed - old.uncertain;
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
  when (old.accepted <> new.accepted or old.deferred <> new.deferred or old.failed <> new.failed
    or old.uncertain <> new.uncertain)
  execute function sample_answers();

-- The time that a sending was held says nothing about its pace.
create function forget_samples() returns trigger language plpgsql as $$
begin
  update delivery_count set sampled_at = '{}', sampled = '{}'
  where newsletter_id = new.newsletter_id and publication_id = new.id;
  return null;
end $$;
create trigger forget_samples after update of status on publication for each row
  when (new.status = 'sending' and old.status <> 'sending') execute function forget_samples();

-- Few deliveries end or wait here, and these are the ones that are looked for; those that go well never enter it.
create index delivery_troubled on delivery (newsletter_id, publication_id, state, subscriber_id)
  where state in ('deferred', 'failed', 'suppressed', 'uncertain');
create index delivery_later on delivery (newsletter_id, publication_id, due_at) where state = 'deferred';
