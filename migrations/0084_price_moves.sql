-- Subscribers by card are moved to a price that took the place of theirs, and who pays more then hears of it 30 days before.

create table price_move (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  plan_id integer not null,
  -- Of those who bought with Stripe's test keys, or of the others.
  test boolean not null,
  started_at timestamptz not null,
  -- From then on nobody else is moved.
  stopped_at timestamptz,
  -- Everybody was moved or left out.
  done_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id) on delete cascade
);
create unique index price_move_under_way on price_move (newsletter_id, plan_id) where stopped_at is null and done_at is null;
create index price_move_plan on price_move (newsletter_id, plan_id, started_at);

create table price_move_subscription (
  newsletter_id text not null,
  move_id uuid not null,
  subscription_id uuid not null,
  -- What they paid when it began, and what they are moved to.
  from_price_id integer not null,
  from_amount bigint not null,
  price_id integer not null,
  amount bigint not null,
  -- 'kept': they had been told of the new price when the move was stopped, and keep theirs.
  state text not null check (state in ('waiting', 'noticed', 'moved', 'left_out', 'kept')),
  reason text check (reason in ('cancelled', 'changed', 'paused', 'failing', 'coupon', 'no_mail', 'refused')),
  -- When the mail was queued, and the first payment at the new price that it named.
  noticed_at timestamptz,
  first_at timestamptz,
  decided_at timestamptz,
  primary key (newsletter_id, move_id, subscription_id),
  foreign key (newsletter_id, move_id) references price_move (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, price_id) references price (newsletter_id, id),
  check ((state = 'left_out') = (reason is not null)),
  check (state <> 'noticed' or noticed_at is not null)
);
create index price_move_subscription_open on price_move_subscription (newsletter_id, move_id, state) where state in ('waiting', 'noticed');
create index price_move_subscription_of on price_move_subscription (newsletter_id, subscription_id);
