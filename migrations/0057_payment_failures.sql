-- Renewals that failed, and what a comparison with Stripe's lists found.

create table payment_failure (
  newsletter_id text not null,
  -- Stripe's, of the invoice that is not paid.
  invoice_id text not null,
  subscription_id uuid not null,
  -- How often it was tried in vain.
  attempts smallint not null,
  failed_at timestamptz not null,
  -- When Stripe tries again; null: not by itself.
  next_attempt_at timestamptz,
  -- Of which attempt the subscriber was told.
  told_attempt smallint not null default 0,
  -- Paid after all, or given up with the subscription.
  settled_at timestamptz,
  primary key (newsletter_id, invoice_id),
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id) on delete cascade
);
create index payment_failure_subscription on payment_failure (newsletter_id, subscription_id);
create index payment_failure_open on payment_failure (newsletter_id, failed_at) where settled_at is null;

create table stripe_comparison (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  -- 'stopped': more differs than an error of ours explains, so that a member decides.
  state text not null check (state in ('listing', 'repairing', 'done', 'stopped')),
  -- The list that is being read, and the last object of it that was.
  list text not null check (list in ('subscriptions', 'unlisted', 'invoices', 'charges', 'refunds', 'end')),
  after_id text,
  -- From which day on invoices, charges and refunds are read.
  since timestamptz not null,
  begun_at timestamptz not null default now(),
  ended_at timestamptz,
  compared integer not null default 0,
  failures smallint not null default 0,
  problem text,
  primary key (newsletter_id, id)
);
create unique index stripe_comparison_under_way on stripe_comparison (newsletter_id) where state in ('listing', 'repairing');
create index stripe_comparison_newest on stripe_comparison (newsletter_id, begun_at);

create table stripe_difference (
  newsletter_id text not null,
  comparison_id uuid not null,
  object_id text not null,
  -- In words that are not a person's: {"status": ["active", "ended"]}.
  changes jsonb not null,
  -- Whom it is about, so that their erasure finds it.
  customer text,
  -- What Stripe said, until it is repaired.
  body text,
  stated_at timestamptz not null,
  repaired_at timestamptz,
  problem text,
  primary key (newsletter_id, comparison_id, object_id),
  foreign key (newsletter_id, comparison_id) references stripe_comparison (newsletter_id, id) on delete cascade
);

-- Which subscriptions a comparison has found in Stripe's list, while it is under way.
create table stripe_listed (
  newsletter_id text not null,
  comparison_id uuid not null,
  object_id text not null,
  primary key (newsletter_id, comparison_id, object_id),
  foreign key (newsletter_id, comparison_id) references stripe_comparison (newsletter_id, id) on delete cascade
);
