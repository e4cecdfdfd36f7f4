-- The newsletter's account at Stripe, and which of its objects are ours.

create table stripe_account (
  newsletter_id text primary key references newsletter (id) on delete cascade,
  -- From the key's first letters.
  test boolean not null,
  key bytea not null,
  -- What of the key may be shown: its first letters and its last four.
  key_shown text not null,
  -- Null when the key may not read it.
  account_id text,
  account_name text,
  -- Of those that Tirage needs, what the key lacked when it was last checked.
  missing_rights text[] not null default '{}',
  webhook_id text not null,
  webhook_secret bytea not null,
  -- Whether Stripe works out the tax of a purchase, and asks for the number of a company.
  automatic_tax boolean not null default false,
  tax_id_collection boolean not null default false,
  connected_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  -- Of the newest event that came with a right signature.
  last_event_at timestamptz
);

-- What was made at Stripe for something of ours, in each of its two modes. `our_id` is the id of a plan or price.
create table stripe_object (
  newsletter_id text not null references newsletter (id) on delete cascade,
  test boolean not null,
  kind text not null check (kind in ('product', 'price', 'net_price')),
  our_id integer not null,
  stripe_id text not null,
  primary key (newsletter_id, test, kind, our_id)
);

create table stripe_customer (
  newsletter_id text not null references newsletter (id) on delete cascade,
  test boolean not null,
  stripe_id text not null,
  -- Null once the person was erased: payments that were made as this customer are told apart by it.
  subscriber_id uuid,
  primary key (newsletter_id, test, stripe_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete set null (subscriber_id)
);
create index stripe_customer_subscriber on stripe_customer (newsletter_id, subscriber_id);
