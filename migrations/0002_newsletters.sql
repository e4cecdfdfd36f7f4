-- A newsletter and the people who run it. Every tenant table carries newsletter_id and its primary key begins with it,
-- so that tables can be partitioned or distributed by newsletter without changing a query.

create table newsletter (
  id text primary key,
  handle text unique check (handle ~ '^[a-z0-9](-?[a-z0-9])+$'),
  name text not null,
  description text not null default '',
  sender_name text not null,
  sender_address text,
  reply_to text,
  postal_address text not null default '',
  language text not null check (language in ('en', 'fr')),
  timezone text not null,
  currency text not null check (currency in ('eur', 'usd')),
  accent text not null default '#0C5C5A' check (accent ~ '^#[0-9A-Fa-f]{6}$'),
  pairing text not null default 'gazette' check (pairing in ('gazette', 'affiche', 'revue', 'registre', 'systeme')),
  logo_media_id text,
  -- Raised by every change that a public page shows: the key of the page cache.
  version integer not null default 1,
  -- The number of the last publication that was sent ("No. 13").
  last_number integer not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table member (
  newsletter_id text not null references newsletter (id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  role text not null check (role in ('owner', 'editor', 'analyst')),
  created_at timestamptz not null default now(),
  primary key (newsletter_id, user_id)
);
create index member_user on member (user_id);

create table invitation (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  email text not null,
  role text not null check (role in ('owner', 'editor', 'analyst')),
  token_hash bytea not null unique,
  invited_by text references "user" (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (newsletter_id, id)
);

-- A key acts in one newsletter with one role. Only its SHA-256 is kept; `prefix` lets its owner recognise it.
create table api_key (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  name text not null,
  role text not null check (role in ('owner', 'editor', 'analyst')),
  prefix text not null,
  hash bytea not null unique,
  created_by text references "user" (id) on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  primary key (newsletter_id, id)
);

create table media (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  storage_key text not null,
  file_name text not null,
  mime text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  alt text not null default '',
  created_by text references "user" (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (newsletter_id, id)
);
create unique index media_id on media (id);

-- Changes travel to whichever process an owner is connected to; payload "newsletter_id kind".
create function notify_live(newsletter_id text, kind text) returns void language sql as
$$ select pg_notify('live', newsletter_id || ' ' || kind) $$;

-- Every process keeps newsletters, rendered pages and links in memory; this is how it learns to forget them.
create function newsletter_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('newsletter', new.id);
  return null;
end $$;
create trigger newsletter_changed after update on newsletter for each row execute function newsletter_changed();
