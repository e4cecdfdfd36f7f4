-- The keys that sign a newsletter's mail (DKIM, RFC 6376 and RFC 8463), each for one domain and under one selector.

create table dkim_key (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  -- As DNS has it: small letters, A-labels.
  domain text not null,
  selector text not null check (selector ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  algorithm text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  -- What the record's p= holds.
  public_key text not null,
  -- PKCS #8, sealed.
  private_key bytea not null,
  created_at timestamptz not null default now(),
  -- When DNS was last seen to hold this very key.
  verified_at timestamptz,
  -- It signs from then on …
  active_at timestamptz,
  -- … and no more from then on.
  retired_at timestamptz,
  primary key (newsletter_id, id),
  unique (newsletter_id, domain, selector)
);
-- The hourly look for keys that wait for their record.
create index dkim_key_waiting on dkim_key (created_at) where active_at is null and retired_at is null;
