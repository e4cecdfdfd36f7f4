-- Bookings that are paid by card: each way of a sponsor to Stripe's page, before it is paid and after.

create table booking_checkout (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  booking_id uuid not null,
  -- Begun with Stripe's test keys.
  test boolean not null,
  language language_code not null,
  opened_at timestamptz not null,
  -- From then on Stripe takes no payment for it.
  expires_at timestamptz not null,
  -- The checkout, once Stripe has said what it is called.
  stripe_id text,
  -- Where the sponsor goes on.
  url text,
  paid_at timestamptz,
  -- Since when its money is here and the sponsor has no slot for it. Null once they have one, or it was given back.
  owed_at timestamptz,
  -- All of it was given back.
  returned_at timestamptz,
  -- A bank took it back, and nobody has decided otherwise.
  disputed_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, booking_id) references booking (newsletter_id, id) on delete cascade,
  check (paid_at is not null or (owed_at is null and returned_at is null and disputed_at is null))
);
create index booking_checkout_booking on booking_checkout (newsletter_id, booking_id);
create index booking_checkout_due on booking_checkout (newsletter_id, booking_id)
  where owed_at is not null or disputed_at is not null;

-- A payment of a sponsor, and what went back of it. It belongs to no subscription.
alter table payment add column booking_id uuid;
alter table payment add foreign key (newsletter_id, booking_id) references booking (newsletter_id, id);
create index payment_booking on payment (newsletter_id, booking_id) where booking_id is not null;
