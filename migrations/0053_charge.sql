-- What is sold to subscribers, who has it, what they paid, and what they may read because of it.

alter table newsletter
  -- For how many days a subscriber goes on reading after a renewal that failed, or of which nothing was heard.
  add column grace_days smallint not null default 14 check (grace_days between 0 and 60),
  -- Whether prices are shown and charged with tax inside.
  add column tax_inside boolean not null default true;

create table plan (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  -- The free one is what everybody has who buys nothing: it has words and no price.
  kind text not null check (kind in ('free', 'paid')),
  -- By language: {"en": {"name": …, "promise": …}, "fr": …}.
  words jsonb not null,
  trial_days smallint not null default 0 check (trial_days between 0 and 365),
  -- On how many devices one subscriber reads at a time.
  devices smallint not null default 4 check (devices between 1 and 100),
  -- How many may have it at a time; null: no limit.
  places integer check (places > 0),
  -- Whether a buyer may give more than the price.
  pay_more boolean not null default false,
  -- Whether the page of plans shows it. Who has its address can buy it all the same.
  shown boolean not null default true,
  position smallint not null default 0,
  created_at timestamptz not null default now(),
  -- From then on nobody can take it. Who has it keeps it.
  closed_at timestamptz,
  primary key (newsletter_id, id)
);
create unique index plan_free on plan (newsletter_id) where kind = 'free';

-- A price never changes: another takes its place, and who bought at the old one stays on it.
create table price (
  newsletter_id text not null,
  plan_id integer not null,
  id integer not null generated always as identity,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  period text not null check (period in ('month', 'year', 'once')),
  -- In the smallest unit of the currency, as Stripe counts it. With pay_more it is the least.
  amount bigint not null check (amount between 1 and 99999999),
  -- Of 'once': how many months it opens; null: for good.
  months smallint check (months between 1 and 120),
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id) on delete cascade,
  check (months is null or period = 'once')
);
create unique index price_offered on price (newsletter_id, plan_id, currency, period) where replaced_at is null;

create table subscription (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  -- Null once the person was erased: what was paid stays in the books.
  subscriber_id uuid,
  plan_id integer not null,
  -- Null when it was bought at no price of ours, such as one agreed by hand.
  price_id integer,
  way text not null check (way in ('card', 'outside', 'complimentary', 'gift')),
  -- Bought with Stripe's test keys: it opens what a bought one opens and is in no figure.
  test boolean not null default false,
  status text not null check (status in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'ended')),
  currency text check (currency ~ '^[a-z]{3}$'),
  -- What one period costs, in the smallest unit.
  amount bigint check (amount >= 0),
  period text check (period in ('month', 'year', 'once')),
  started_at timestamptz not null,
  trial_until timestamptz,
  -- Until when it is paid for; null: for good.
  paid_until timestamptz,
  -- Whether a payment is expected when that time has come.
  renews boolean not null default false,
  -- Since when a renewal has failed.
  past_due_since timestamptz,
  paused_at timestamptz,
  resumes_at timestamptz,
  ended_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  -- What a member wrote beside it, such as the number of an invoice.
  note text not null default '',
  -- For which end the reminder was sent.
  reminded_for timestamptz,
  -- What they were reading when they bought, and where they came from.
  publication_id text,
  source text,
  stripe_id text,
  -- Of the newest statement of Stripe that was applied.
  stripe_at timestamptz,
  changed_at timestamptz not null default now(),
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete set null (subscriber_id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id),
  foreign key (newsletter_id, price_id) references price (newsletter_id, id),
  check (status <> 'ended' or ended_at is not null),
  check (status <> 'past_due' or past_due_since is not null),
  check (status <> 'paused' or paused_at is not null)
);
create unique index subscription_stripe on subscription (newsletter_id, stripe_id) where stripe_id is not null;
create index subscription_subscriber on subscription (newsletter_id, subscriber_id);
create index subscription_plan on subscription (newsletter_id, plan_id, status);
create index subscription_ending on subscription (paid_until) where status <> 'ended' and not renews;

-- What a subscriber may read, worked out of their subscriptions whenever one changes. Time alone ends it.
create table entitlement (
  newsletter_id text not null,
  subscriber_id uuid not null,
  plan_id integer not null,
  -- 'infinity': for good.
  until timestamptz not null,
  primary key (newsletter_id, subscriber_id, plan_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id)
);
create index entitlement_plan on entitlement (newsletter_id, plan_id, until);

-- The books: each payment and each refund, whoever took it. Rows are added, and never changed but for a fee that comes later.
create table payment (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  subscription_id uuid,
  subscriber_id uuid,
  plan_id integer,
  kind text not null check (kind in ('payment', 'refund', 'dispute')),
  test boolean not null default false,
  at timestamptz not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- In the smallest unit. Refunds and disputes are negative, and their tax and fee with them.
  amount bigint not null,
  tax bigint not null default 0,
  fee bigint not null default 0,
  country text check (country ~ '^[A-Z]{2}$'),
  -- How it was paid: card, sepa_debit, transfer, cash, cheque, …
  means text not null,
  period_from timestamptz,
  period_until timestamptz,
  publication_id text,
  source text,
  -- Of a refund: the payment that was given back.
  refund_of uuid,
  note text not null default '',
  stripe_id text,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete set null (subscriber_id)
);
create unique index payment_stripe on payment (newsletter_id, stripe_id) where stripe_id is not null;
create index payment_at on payment (newsletter_id, at desc, id);
create index payment_subscriber on payment (newsletter_id, subscriber_id);
create index payment_subscription on payment (newsletter_id, subscription_id);

-- How each change of a subscription moved the recurring revenue.
create table revenue_change (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id bigint not null generated always as identity,
  subscription_id uuid not null,
  plan_id integer not null,
  test boolean not null default false,
  at timestamptz not null,
  kind text not null check (kind in ('new', 'expansion', 'contraction', 'churn', 'reactivation')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- Of a year, so that a month of a yearly price needs no fraction. The monthly figure is a twelfth.
  yearly bigint not null,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id)
);
create index revenue_change_at on revenue_change (newsletter_id, at);
create index revenue_change_subscription on revenue_change (newsletter_id, subscription_id);
