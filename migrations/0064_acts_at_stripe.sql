-- What is done at Stripe for an owner or a subscriber: coupons, offers to who cancels, and moves to another price.

alter table newsletter
  -- What is offered to who has cancelled. Null: nothing.
  add column win_back_coupon_id integer,
  add foreign key (id, win_back_coupon_id) references coupon (newsletter_id, id) on delete set null (win_back_coupon_id);

alter table stripe_object drop constraint stripe_object_kind_check;
alter table stripe_object add check (kind in ('product', 'price', 'net_price', 'coupon'));

alter table subscription
  -- Off each period, in the smallest unit, of coupons that last longer than one. It costs the rest.
  add column discount bigint not null default 0 check (discount >= 0),
  -- The discounts at Stripe of which that is the sum.
  add column stripe_discounts text[] not null default '{}';

-- Stripe counts the last use. What somebody used at Stripe's own pages may be more than was meant here.
alter table coupon drop constraint coupon_check;
alter table coupon add check (used >= 0);

-- Which coupon was used for which purchase, so that each use is counted once.
create table coupon_use (
  newsletter_id text not null,
  coupon_id integer not null,
  subscription_id uuid not null,
  at timestamptz not null,
  primary key (newsletter_id, coupon_id, subscription_id),
  foreign key (newsletter_id, coupon_id) references coupon (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id) on delete cascade
);
create index coupon_use_subscription on coupon_use (newsletter_id, subscription_id);

-- Those who pay a price by card that was replaced, on their way to another.
create table price_move (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  from_price_id integer not null,
  to_price_id integer not null,
  begun_at timestamptz not null,
  -- From then on nobody else is moved.
  stopped_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, from_price_id) references price (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, to_price_id) references price (newsletter_id, id) on delete cascade
);
create unique index price_move_under_way on price_move (newsletter_id, from_price_id) where stopped_at is null;

create table price_move_step (
  newsletter_id text not null,
  move_id integer not null,
  subscription_id uuid not null,
  -- When the subscriber was told, and when their price is changed at Stripe, for their next renewal after it.
  told_at timestamptz not null,
  due_at timestamptz not null,
  moved_at timestamptz,
  -- Why it was not: what Stripe or the subscriber did meanwhile.
  problem text,
  primary key (newsletter_id, move_id, subscription_id),
  foreign key (newsletter_id, move_id) references price_move (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id) on delete cascade
);
create index price_move_step_due on price_move_step (due_at) where moved_at is null and problem is null;
create index price_move_step_subscription on price_move_step (newsletter_id, subscription_id);
