-- What Stripe said, as it said it. An event is applied once, however often and in whatever order it comes.

create table payment_event (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- Stripe's: the same one that comes again is the same row.
  id text not null,
  type text not null,
  -- What it is about: a subscription, an invoice, a checkout, a refund or a dispute.
  object_id text not null,
  -- Whom it is about, so that their erasure finds it.
  customer text,
  stated_at timestamptz not null,
  received_at timestamptz not null default now(),
  -- Null some days after it was applied: it names people.
  body text,
  -- Of a subscription: its status in this statement, from which follows since when it has it.
  status text,
  -- When it is to be applied; infinity: not any more.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- The object that has to be known first.
  waits_for text,
  -- Why it was not applied yet, or what an owner should know of it.
  problem text,
  applied_at timestamptz,
  primary key (newsletter_id, id)
);
create index payment_event_due on payment_event (due_at) where applied_at is null;
create index payment_event_waiting on payment_event (newsletter_id, waits_for) where applied_at is null and waits_for is not null;
create index payment_event_object on payment_event (newsletter_id, object_id, stated_at);
create index payment_event_customer on payment_event (newsletter_id, customer);
create index payment_event_problem on payment_event (newsletter_id, received_at) where problem is not null;
create index payment_event_forget on payment_event (received_at);

create function notify_payment_event() returns trigger language plpgsql as $$
begin
  notify payment_event;
  return null;
end
$$;
create trigger payment_event_came after insert on payment_event for each statement execute function notify_payment_event();

-- By which a refund or a dispute names its payment.
alter table payment add column stripe_payment_intent text;
create index payment_intent on payment (newsletter_id, stripe_payment_intent) where stripe_payment_intent is not null;

-- What Stripe could not deliver is sent again for some days, signed with the secret of then.
alter table stripe_account add column earlier_webhook_secret bytea, add column earlier_until timestamptz;
create function keep_earlier_secret() returns trigger language plpgsql as $$
begin
  new.earlier_webhook_secret := old.webhook_secret;
  new.earlier_until := now() + interval '3 days';
  return new;
end
$$;
create trigger stripe_account_secret before update of webhook_secret on stripe_account
  for each row when (old.webhook_secret is distinct from new.webhook_secret) execute function keep_earlier_secret();
