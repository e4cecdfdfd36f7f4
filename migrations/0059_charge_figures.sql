-- The figures of what is sold, counted as it is stored: a year of a million payments is read as quickly as one of ten thousand.
--
-- Each table counts by day and by month of the newsletter's calendar. A long range is the sum of its months, and a few days at its ends.
-- The figures are the sums of all parts. Connections write different ones, so that they do not wait for one another. Test rows are in none.

create table movement_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  span text not null check (span in ('day', 'month')),
  since date not null,
  currency text not null,
  kind text not null,
  part smallint not null,
  yearly bigint not null,
  movements bigint not null,
  primary key (newsletter_id, span, since, currency, kind, part)
);

-- How subscriptions stand, and when one began to stand otherwise: a row with 1 for what it is, and one with -1 for what it was.
create table standing_change (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id bigint not null generated always as identity,
  subscription_id uuid not null,
  at timestamptz not null,
  plan_id integer not null,
  period text not null,
  currency text not null,
  standing text not null
    check (standing in ('paid', 'late', 'leaving', 'outside', 'trial', 'paused', 'complimentary', 'gift')),
  step smallint not null,
  primary key (newsletter_id, id)
);

create table standing_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  span text not null check (span in ('day', 'month')),
  since date not null,
  plan_id integer not null,
  period text not null,
  currency text not null,
  standing text not null,
  part smallint not null,
  -- How many more of them there are than before; less than none when some left.
  subscriptions bigint not null,
  primary key (newsletter_id, span, since, plan_id, period, currency, standing, part)
);

create table payment_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  span text not null check (span in ('day', 'month')),
  since date not null,
  currency text not null,
  kind text not null,
  part smallint not null,
  payments bigint not null,
  amount bigint not null,
  tax bigint not null,
  fee bigint not null,
  primary key (newsletter_id, span, since, currency, kind, part)
);

-- The earliest payment of each subscription, with what it is due to. Payments can be told in any order.
create table first_payment (
  newsletter_id text not null references newsletter (id) on delete cascade,
  subscription_id uuid not null,
  payment_id uuid not null,
  at timestamptz not null,
  publication_id text not null,
  source text not null,
  primary key (newsletter_id, subscription_id)
);
create index first_payment_payment on first_payment (newsletter_id, payment_id);

-- First payments, less what was given back of them, by what they are due to; '' when it is not known.
create table sale_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  span text not null check (span in ('day', 'month')),
  since date not null,
  due_to text not null check (due_to in ('publication', 'source')),
  origin text not null,
  currency text not null,
  part smallint not null,
  sales bigint not null,
  amount bigint not null,
  primary key (newsletter_id, span, since, due_to, origin, currency, part)
);

-- Trials by the day on which they began.
create table trial_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  span text not null check (span in ('day', 'month')),
  since date not null,
  part smallint not null,
  begun bigint not null,
  finished bigint not null,
  paying bigint not null,
  primary key (newsletter_id, span, since, part)
);

create index payment_refunded on payment (newsletter_id, refund_of) where refund_of is not null;
create index payment_given_back on payment (newsletter_id, at desc) where kind <> 'payment' and not test;

/* The day and the month in which a moment is counted. */
create function figure_spans(at timestamptz, timezone text) returns table (span text, since date) language sql immutable as $$
  select 'day', (at at time zone timezone)::date union all select 'month', date_trunc('month', at at time zone timezone)::date
$$;

/* How a subscription stands; null when it is none. */
create function standing_of(way text, status text, period text, amount bigint, renews boolean) returns text
  language sql immutable as $$
  select case
    when status in ('incomplete', 'ended') then null
    when way in ('complimentary', 'gift') then way
    when status = 'trialing' then 'trial'
    when status = 'paused' then 'paused'
    when coalesce(amount, 0) = 0 then 'complimentary'
    when status = 'past_due' then 'late'
    when way = 'outside' then 'outside'
    when period <> 'once' and not renews then 'leaving'
    else 'paid'
  end
$$;

/* Keeps the timezones of newsletters as they are until the transaction ends. Those who count do not wait for one another. */
create function hold_calendars(newsletters text[]) returns void language sql as $$
  select from (select distinct id from unnest(newsletters) id order by id) o, pg_advisory_xact_lock_shared(59, hashtext(o.id))
$$;

create function count_movements() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where not test) then return null; end if;
  perform hold_calendars(array(select newsletter_id from after_rows));
  insert into movement_count as m (newsletter_id, span, since, currency, kind, part, yearly, movements)
  select a.newsletter_id, s.span, s.since, a.currency, a.kind, pg_backend_pid() % 16, sum(a.yearly), count(*)
  from after_rows a join newsletter n on n.id = a.newsletter_id cross join lateral figure_spans(a.at, n.timezone) s
  where not a.test group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (newsletter_id, span, since, currency, kind, part)
    do update set yearly = m.yearly + excluded.yearly, movements = m.movements + excluded.movements;
  return null;
end $$;

create function count_standings() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows) then return null; end if;
  perform hold_calendars(array(select newsletter_id from after_rows));
  insert into standing_count as c (newsletter_id, span, since, plan_id, period, currency, standing, part, subscriptions)
  select a.newsletter_id, s.span, s.since, a.plan_id, a.period, a.currency, a.standing, pg_backend_pid() % 16, sum(a.step)
  from after_rows a join newsletter n on n.id = a.newsletter_id cross join lateral figure_spans(a.at, n.timezone) s
  group by 1, 2, 3, 4, 5, 6, 7 having sum(a.step) <> 0 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (newsletter_id, span, since, plan_id, period, currency, standing, part)
    do update set subscriptions = c.subscriptions + excluded.subscriptions;
  return null;
end $$;

create function note_standings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into standing_change (newsletter_id, subscription_id, at, plan_id, period, currency, standing, step)
    select newsletter_id, id, changed_at, plan_id, coalesce(period, ''), coalesce(currency, ''), standing, 1
    from (select a.*, standing_of(way, status, period, amount, renews) as standing from after_rows a where not test) a
    where standing is not null;
  else
    insert into standing_change (newsletter_id, subscription_id, at, plan_id, period, currency, standing, step)
    select newsletter_id, id, at, plan_id, coalesce(period, ''), coalesce(currency, ''), standing, sum(step)
    from (
      select a.newsletter_id, a.id, a.changed_at as at, a.plan_id, a.period, a.currency,
        standing_of(a.way, a.status, a.period, a.amount, a.renews) as standing, 1 as step
      from after_rows a where not a.test
      union all
      select b.newsletter_id, b.id, a.changed_at, b.plan_id, b.period, b.currency,
        standing_of(b.way, b.status, b.period, b.amount, b.renews), -1
      from before_rows b join after_rows a using (newsletter_id, id) where not b.test
    ) o where standing is not null group by 1, 2, 3, 4, 5, 6, 7 having sum(step) <> 0 order by 1, 2, sum(step);
  end if;
  return null;
end $$;

create function count_trials() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from after_rows where trial_until is not null and not test) then return null; end if;
    perform hold_calendars(array(select newsletter_id from after_rows));
    insert into trial_count as t (newsletter_id, span, since, part, begun, finished, paying)
    select a.newsletter_id, s.span, s.since, pg_backend_pid() % 16, count(*), count(*) filter (where a.status <> 'trialing'), 0
    from after_rows a join newsletter n on n.id = a.newsletter_id cross join lateral figure_spans(a.started_at, n.timezone) s
    where a.trial_until is not null and not a.test and a.status <> 'incomplete' group by 1, 2, 3 order by 1, 2, 3
    on conflict (newsletter_id, span, since, part) do update set begun = t.begun + excluded.begun, finished = t.finished + excluded.finished;
  else
    if not exists (select from before_rows where trial_until is not null and not test)
      and not exists (select from after_rows where trial_until is not null and not test) then return null; end if;
    perform hold_calendars(array(select newsletter_id from after_rows));
    insert into trial_count as t (newsletter_id, span, since, part, begun, finished, paying)
    select o.newsletter_id, s.span, s.since, pg_backend_pid() % 16, sum(o.step), coalesce(sum(o.step) filter (where o.status <> 'trialing'), 0),
      coalesce(sum(o.step) filter (where o.is_paying), 0)
    from (
      select c.*, exists (select from first_payment f where f.newsletter_id = c.newsletter_id and f.subscription_id = c.id) as is_paying
      from (
        select newsletter_id, id, started_at, trial_until, status, test, 1 as step from after_rows
        union all
        select newsletter_id, id, started_at, trial_until, status, test, -1 from before_rows
      ) c where c.trial_until is not null and not c.test and c.status <> 'incomplete'
    ) o join newsletter n on n.id = o.newsletter_id cross join lateral figure_spans(o.started_at, n.timezone) s group by 1, 2, 3
    having sum(o.step) <> 0 or coalesce(sum(o.step) filter (where o.status <> 'trialing'), 0) <> 0 order by 1, 2, 3
    on conflict (newsletter_id, span, since, part) do update
      set begun = t.begun + excluded.begun, finished = t.finished + excluded.finished, paying = t.paying + excluded.paying;
  end if;
  return null;
end $$;

create function count_payments() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where not test) then return null; end if;
  perform hold_calendars(array(select newsletter_id from after_rows));
  insert into payment_count as c (newsletter_id, span, since, currency, kind, part, payments, amount, tax, fee)
  select a.newsletter_id, s.span, s.since, a.currency, a.kind, pg_backend_pid() % 16, count(*), sum(a.amount), sum(a.tax), sum(a.fee)
  from after_rows a join newsletter n on n.id = a.newsletter_id cross join lateral figure_spans(a.at, n.timezone) s
  where not a.test group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (newsletter_id, span, since, currency, kind, part) do update set payments = c.payments + excluded.payments,
    amount = c.amount + excluded.amount, tax = c.tax + excluded.tax, fee = c.fee + excluded.fee;
  return null;
end $$;

create function count_sales() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where not test and (subscription_id is not null or refund_of is not null)) then
    return null;
  end if;
  -- Payments of one subscription are counted one after the other.
  perform from subscription s
  where (s.newsletter_id, s.id) in (select newsletter_id, subscription_id from after_rows) order by s.newsletter_id, s.id
  for no key update;
  with moved as (
    insert into first_payment as f (newsletter_id, subscription_id, payment_id, at, publication_id, source)
    select distinct on (a.newsletter_id, a.subscription_id) a.newsletter_id, a.subscription_id, a.id, a.at,
      coalesce(a.publication_id, s.publication_id, ''), coalesce(a.source, s.source, '')
    from after_rows a join subscription s on s.newsletter_id = a.newsletter_id and s.id = a.subscription_id
    where a.kind = 'payment' and not a.test and a.amount > 0
    order by a.newsletter_id, a.subscription_id, a.at, a.id
    on conflict (newsletter_id, subscription_id) do update set payment_id = excluded.payment_id, at = excluded.at,
      publication_id = excluded.publication_id, source = excluded.source
      where (excluded.at, excluded.payment_id) < (f.at, f.payment_id)
    returning with (old as o, new as n) n.newsletter_id, n.subscription_id, o.payment_id as was, o.publication_id as was_publication_id,
      o.source as was_source, n.payment_id, n.publication_id, n.source
  ),
  paying as (
    insert into trial_count as t (newsletter_id, span, since, part, begun, finished, paying)
    select m.newsletter_id, o.span, o.since, pg_backend_pid() % 16, 0, 0, count(*)
    from moved m join subscription s on s.newsletter_id = m.newsletter_id and s.id = m.subscription_id
    join newsletter n on n.id = m.newsletter_id cross join lateral figure_spans(s.started_at, n.timezone) o
    where m.was is null and s.trial_until is not null and not s.test and s.status <> 'incomplete'
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (newsletter_id, span, since, part) do update set paying = t.paying + excluded.paying
  ),
  counted as (
    -- What became the first payment, and what was given back of it.
    select p.*, m.publication_id as due_publication, m.source as due_source, 1 as step from moved m
    join payment p on p.newsletter_id = m.newsletter_id and p.id = m.payment_id
    union all
    select p.*, m.publication_id, m.source, 1 from moved m
    join payment p on p.newsletter_id = m.newsletter_id and p.refund_of = m.payment_id
    union all
    -- What is no longer it. Rows of this statement were not counted with it.
    select p.*, m.was_publication_id, m.was_source, -1 from moved m
    join payment p on p.newsletter_id = m.newsletter_id and p.id = m.was
    union all
    select p.*, m.was_publication_id, m.was_source, -1 from moved m
    join payment p on p.newsletter_id = m.newsletter_id and p.refund_of = m.was
    where not exists (select from after_rows a where a.newsletter_id = p.newsletter_id and a.id = p.id)
    union all
    -- What is given back of one that stays it.
    select a.*, f.publication_id, f.source, 1 from after_rows a
    join first_payment f on f.newsletter_id = a.newsletter_id and f.payment_id = a.refund_of
    where not exists (select from moved m where m.newsletter_id = f.newsletter_id and m.was = f.payment_id)
  )
  insert into sale_count as c (newsletter_id, span, since, due_to, origin, currency, part, sales, amount)
  select p.newsletter_id, s.span, s.since, d.due_to, d.origin, p.currency, pg_backend_pid() % 16,
    coalesce(sum(p.step) filter (where p.kind = 'payment'), 0), sum(p.step * p.amount)
  from counted p join newsletter n on n.id = p.newsletter_id cross join lateral figure_spans(p.at, n.timezone) s
  cross join lateral (values ('publication', p.due_publication), ('source', p.due_source)) d (due_to, origin)
  where not p.test group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (newsletter_id, span, since, due_to, origin, currency, part)
    do update set sales = c.sales + excluded.sales, amount = c.amount + excluded.amount;
  return null;
end $$;

create function count_late_fees() returns trigger language plpgsql as $$
begin
  -- The books are only added to. What was counted of a row must not change behind the figures.
  if exists (
    select from before_rows b join after_rows a using (newsletter_id, id)
    where (b.kind, b.test, b.at, b.currency, b.amount, b.tax, b.subscription_id, b.refund_of)
      is distinct from (a.kind, a.test, a.at, a.currency, a.amount, a.tax, a.subscription_id, a.refund_of)
  ) then
    raise exception 'a payment in the books never changes, but for its fee';
  end if;
  if not exists (select from before_rows b join after_rows a using (newsletter_id, id) where b.fee <> a.fee) then return null; end if;
  perform hold_calendars(array(select newsletter_id from after_rows));
  insert into payment_count as c (newsletter_id, span, since, currency, kind, part, payments, amount, tax, fee)
  select a.newsletter_id, s.span, s.since, a.currency, a.kind, pg_backend_pid() % 16, 0, 0, 0, sum(a.fee - b.fee)
  from after_rows a join before_rows b using (newsletter_id, id) join newsletter n on n.id = a.newsletter_id
  cross join lateral figure_spans(a.at, n.timezone) s
  where not a.test group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (newsletter_id, span, since, currency, kind, part) do update set fee = c.fee + excluded.fee;
  return null;
end $$;

/* Counts a newsletter anew. Its calendar must be held. */
create function recount_figures(newsletter text) returns void language sql as $$
  delete from movement_count where newsletter_id = newsletter;
  delete from standing_count where newsletter_id = newsletter;
  delete from payment_count where newsletter_id = newsletter;
  delete from sale_count where newsletter_id = newsletter;
  delete from trial_count where newsletter_id = newsletter;
  insert into movement_count (newsletter_id, span, since, currency, kind, part, yearly, movements)
  select newsletter, s.span, s.since, r.currency, r.kind, -1, sum(r.yearly), count(*)
  from revenue_change r join newsletter n on n.id = r.newsletter_id cross join lateral figure_spans(r.at, n.timezone) s
  where r.newsletter_id = newsletter and not r.test group by 2, 3, 4, 5;
  insert into standing_count (newsletter_id, span, since, plan_id, period, currency, standing, part, subscriptions)
  select newsletter, s.span, s.since, c.plan_id, c.period, c.currency, c.standing, -1, sum(c.step)
  from standing_change c join newsletter n on n.id = c.newsletter_id cross join lateral figure_spans(c.at, n.timezone) s
  where c.newsletter_id = newsletter group by 2, 3, 4, 5, 6, 7;
  insert into payment_count (newsletter_id, span, since, currency, kind, part, payments, amount, tax, fee)
  select newsletter, s.span, s.since, p.currency, p.kind, -1, count(*), sum(p.amount), sum(p.tax), sum(p.fee)
  from payment p join newsletter n on n.id = p.newsletter_id cross join lateral figure_spans(p.at, n.timezone) s
  where p.newsletter_id = newsletter and not p.test group by 2, 3, 4, 5;
  insert into sale_count (newsletter_id, span, since, due_to, origin, currency, part, sales, amount)
  select newsletter, s.span, s.since, d.due_to, d.origin, p.currency, -1, count(*) filter (where p.kind = 'payment'), sum(p.amount)
  from payment p join first_payment f on f.newsletter_id = p.newsletter_id and f.payment_id = coalesce(p.refund_of, p.id)
  join newsletter n on n.id = p.newsletter_id cross join lateral figure_spans(p.at, n.timezone) s
  cross join lateral (values ('publication', f.publication_id), ('source', f.source)) d (due_to, origin)
  where f.newsletter_id = newsletter and not p.test group by 2, 3, 4, 5, 6;
  insert into trial_count (newsletter_id, span, since, part, begun, finished, paying)
  select newsletter, o.span, o.since, -1, count(*), count(*) filter (where s.status <> 'trialing'), count(f.payment_id)
  from subscription s left join first_payment f on f.newsletter_id = s.newsletter_id and f.subscription_id = s.id
  join newsletter n on n.id = s.newsletter_id cross join lateral figure_spans(s.started_at, n.timezone) o
  where s.newsletter_id = newsletter and s.trial_until is not null and not s.test and s.status <> 'incomplete' group by 2, 3;
$$;

create function recount_for_timezone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(59, hashtext(new.id));
  perform recount_figures(new.id);
  return null;
end $$;

lock table subscription, payment, revenue_change in share row exclusive mode;
insert into standing_change (newsletter_id, subscription_id, at, plan_id, period, currency, standing, step)
select newsletter_id, id, changed_at, plan_id, coalesce(period, ''), coalesce(currency, ''), standing, 1
from (select s.*, standing_of(way, status, period, amount, renews) as standing from subscription s where not test) s
where standing is not null;
insert into first_payment (newsletter_id, subscription_id, payment_id, at, publication_id, source)
select distinct on (p.newsletter_id, p.subscription_id) p.newsletter_id, p.subscription_id, p.id, p.at,
  coalesce(p.publication_id, s.publication_id, ''), coalesce(p.source, s.source, '')
from payment p join subscription s on s.newsletter_id = p.newsletter_id and s.id = p.subscription_id
where p.kind = 'payment' and not p.test and p.amount > 0 order by p.newsletter_id, p.subscription_id, p.at, p.id;
select recount_figures(id) from newsletter;

-- Rows are deleted with their newsletter only, and these counts with it.
create trigger count_movements after insert on revenue_change referencing new table as after_rows
  for each statement execute function count_movements();
create trigger count_standings after insert on standing_change referencing new table as after_rows
  for each statement execute function count_standings();
create trigger note_standings_inserted after insert on subscription referencing new table as after_rows
  for each statement execute function note_standings();
create trigger note_standings_updated after update on subscription referencing old table as before_rows new table as after_rows
  for each statement execute function note_standings();
create trigger count_trials_inserted after insert on subscription referencing new table as after_rows
  for each statement execute function count_trials();
create trigger count_trials_updated after update on subscription referencing old table as before_rows new table as after_rows
  for each statement execute function count_trials();
create trigger count_payments after insert on payment referencing new table as after_rows
  for each statement execute function count_payments();
create trigger count_sales after insert on payment referencing new table as after_rows
  for each statement execute function count_sales();
create trigger count_late_fees after update on payment referencing old table as before_rows new table as after_rows
  for each statement execute function count_late_fees();
create trigger recount_for_timezone after update of timezone on newsletter
  for each row when (old.timezone is distinct from new.timezone) execute function recount_for_timezone();
