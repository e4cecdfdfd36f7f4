-- Who may sign in. The first four tables are better-auth's (its names, our snake_case); `profile` holds what a user
-- chose for the owner app. Session and verification secrets are random and short-lived; passwords are scrypt hashes.

create table "user" (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  is_anonymous boolean,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table session (
  id text primary key,
  user_id text not null references "user" (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index session_of_user on session (user_id);

create table account (
  id text primary key,
  user_id text not null references "user" (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index account_of_user on account (user_id);
create unique index account_of_provider on account (provider_id, account_id);

create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_identifier on verification (identifier);

create table profile (
  user_id text primary key references "user" (id) on delete cascade,
  mode text not null default 'auto' check (mode in ('auto', 'light', 'dark')),
  language text check (language in ('en', 'fr')),
  currency text check (currency in ('eur', 'usd')),
  timezone text,
  updated_at timestamptz not null default now()
);

-- First-party analytics of the owner app (page_view, screen_view, sign_up, login). Never of readers.
create table analytics_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  name text not null,
  params jsonb not null default '{}',
  user_id text references "user" (id) on delete set null,
  visitor_id text
);
create index analytics_event_at on analytics_event (at);
