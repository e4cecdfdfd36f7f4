-- The ways out for mail: SMTP servers and providers, of one newsletter or, without a newsletter_id, of the whole instance.
-- So the primary key cannot begin with newsletter_id here; ids are random, and every query of a member names both.

create table relay (
  id text primary key,
  newsletter_id text references newsletter (id) on delete cascade,
  name text not null,
  kind text not null check (kind in ('smtp', 'ses', 'postmark', 'mailgun', 'resend')),
  -- Host, port, region, domain, …: of the shape that its kind has in the contract. Never a secret.
  settings jsonb not null,
  -- Password or key, and what the provider signs its webhooks with; sealed for the purpose 'relay'.
  secret bytea,
  webhook_secret bytea,
  -- Its share beside the others; 0: only when no other can take mail.
  weight integer not null check (weight >= 0),
  -- To it at once, from each worker.
  connections integer not null check (connections > 0),
  per_second double precision check (per_second > 0),
  per_hour integer check (per_hour > 0),
  -- While a warm-up plan limits it: since when.
  warm_up_started_at timestamptz,
  enabled boolean not null,
  -- Health, shared by all workers: written when it changes.
  resting_until timestamptz,
  failures integer not null default 0,
  refused boolean not null default false,
  last_answer text,
  last_answered_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index relay_newsletter on relay (newsletter_id);

-- What has left, and when the next may: rewritten at every turn at a relay with limits, so apart from what is read often.
-- `used` is an array of [end of the span, in milliseconds since 1970, mails], a few dozen of them; `version` lets a
-- worker see that another was there first.
create table relay_use (
  relay_id text primary key references relay (id) on delete cascade,
  version integer not null default 0,
  free_at_ms double precision not null default 0,
  used jsonb not null default '[]'
);

-- Limits for all mailboxes of one domain, whatever the relay; without newsletter_id for what the instance's own relays send.
create table domain_limit (
  id text primary key,
  newsletter_id text references newsletter (id) on delete cascade,
  domain text not null,
  per_second double precision check (per_second > 0),
  per_hour integer check (per_hour > 0),
  version integer not null default 0,
  free_at_ms double precision not null default 0,
  used jsonb not null default '[]',
  unique nulls not distinct (newsletter_id, domain)
);
