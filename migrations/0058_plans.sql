-- What an owner decides about plans beyond their price: suggestions, moves to another price, coupons, gifts and reminders.

alter table newsletter
  -- How many days before the end of a subscription that does not renew its subscriber is reminded, and the owners: once, twice or never.
  add column remind_days smallint[] not null default '{30,7}'
    check (cardinality(remind_days) <= 2 and 1 <= all (remind_days) and 90 >= all (remind_days));

-- What the page of plans proposes where a buyer may give more. Without it, the least.
alter table price add column suggested bigint check (suggested between amount and 99999999);

alter table subscription
  -- What it costs from its next period on, when that is another price.
  add column next_price_id integer,
  -- Of the last reminder before `reminded_for`: how many days before.
  add column reminded_days smallint,
  add foreign key (newsletter_id, next_price_id) references price (newsletter_id, id);
create index subscription_price on subscription (newsletter_id, price_id) where status <> 'ended';

create table coupon (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  -- In capitals.
  code text not null,
  percent smallint check (percent between 1 and 100),
  -- Off each period, in the smallest unit.
  amount bigint check (amount between 1 and 99999999),
  currency text check (currency ~ '^[a-z]{3}$'),
  -- For how many months it is taken off; null: for as long as the subscription lasts.
  months smallint check (months between 1 and 120),
  -- Null: every plan.
  plan_id integer,
  -- How often it can be used; null: without limit.
  most integer check (most > 0),
  used integer not null default 0 check (used >= 0 and (most is null or used <= most)),
  until timestamptz,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id) on delete cascade,
  check ((percent is null) <> (amount is null)),
  check ((amount is null) = (currency is null))
);
create unique index coupon_code on coupon (newsletter_id, code);

-- A subscription of a fixed length that somebody will have who has its code.
create table gift (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  -- In capitals.
  code text not null,
  plan_id integer not null,
  months smallint not null check (months between 1 and 120),
  note text not null default '',
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  redeemed_at timestamptz,
  -- What it became.
  subscription_id uuid,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id)
);
create unique index gift_code on gift (newsletter_id, code);
