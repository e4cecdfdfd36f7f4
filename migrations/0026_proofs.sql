-- How a session began, when its user last proved who they are, and whether it still waits for the code of the second factor.
alter table session
  add column method text,
  add column proven_at timestamptz not null default now(),
  add column awaits_code boolean not null default false;
update session set proven_at = created_at;

-- better-auth's table, in our snake_case. A counter is an unsigned 32-bit number (WebAuthn section 6.1).
create table passkey (
  id text primary key,
  user_id text not null references "user" (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);

-- A secret counts once a code of it has confirmed it. The last step (RFC 6238 section 4.2) whose code was used is kept, so that no
-- code is used twice.
create table two_factor (
  user_id text primary key references "user" (id) on delete cascade,
  secret bytea not null,
  confirmed_at timestamptz,
  last_step integer not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_code (
  user_id text not null references "user" (id) on delete cascade,
  hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, hash)
);

-- Counts that all processes share, of attempts to sign in. Keys are hashes. The columns are rate-limiter-flexible's.
create table rate_limit (
  key text primary key,
  points integer not null,
  expire bigint
);
