-- Gifts that are bought by card: what somebody ordered, before it is paid and after.

alter table plan add column giftable boolean not null default false;

create table gift_order (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  plan_id integer not null,
  price_id integer not null,
  months smallint not null check (months between 1 and 120),
  -- Bought with Stripe's test keys.
  test boolean not null,
  language language_code not null,
  -- Null once it was forgotten.
  buyer_email text,
  -- Null: the buyer passes the code on, or it was forgotten.
  recipient_email text,
  recipient_name text not null default '',
  message text not null default '',
  -- When the recipient is written to; null without one.
  mail_at timestamptz,
  created_at timestamptz not null,
  -- The checkout, once Stripe has said what it is called.
  stripe_id text,
  paid_at timestamptz,
  -- The code that the payment made.
  gift_id uuid,
  buyer_mailed_at timestamptz,
  recipient_mailed_at timestamptz,
  -- All of it was given back, or taken back by a bank.
  returned_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, plan_id) references plan (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, price_id) references price (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, gift_id) references gift (newsletter_id, id) on delete cascade,
  check ((paid_at is null) = (gift_id is null))
);
create unique index gift_order_gift on gift_order (newsletter_id, gift_id) where gift_id is not null;
create index gift_order_created on gift_order (newsletter_id, created_at);
create index gift_order_plan on gift_order (newsletter_id, plan_id);

-- A payment that bought a gift, and what went back of it. It belongs to no subscription.
alter table payment add column gift_id uuid;
alter table payment add foreign key (newsletter_id, gift_id) references gift (newsletter_id, id);
create index payment_gift on payment (newsletter_id, gift_id) where gift_id is not null;

alter table stripe_comparison drop constraint stripe_comparison_list_check;
alter table stripe_comparison add constraint stripe_comparison_list_check
  check (list in ('subscriptions', 'unlisted', 'checkouts', 'invoices', 'charges', 'refunds', 'end'));
