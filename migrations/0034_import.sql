-- Subscribers that come in a file (docs/import.md): what was uploaded, how it is read, and how far it is.

create table import (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- Random, as in addresses of the API.
  id text not null,
  created_by text references "user" (id) on delete set null,
  state text not null check (state in ('uploading', 'uploaded', 'refused', 'checking', 'checked', 'importing', 'finishing', 'done',
    'cancelling', 'cancelled', 'taking_back', 'taken_back')),
  file_name text not null check (length(file_name) <= 200),
  -- As announced, and as arrived in so many parts.
  bytes bigint not null,
  received bigint not null default 0,
  parts integer not null default 0,
  -- What was found at the beginning of the file: encoding, delimiter, columns with examples, the tool that it comes from.
  sheet jsonb,
  -- What the owner chose: what each column becomes, what happens to people who are here already, where they said yes.
  choices jsonb,
  counts jsonb,
  -- Why the file was refused.
  refusal jsonb,
  -- Rows that the step under way has done, and all of them.
  done bigint not null default 0,
  total bigint not null default 0,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- When the first of its people was written, and when the last one was.
  begun_at timestamptz,
  finished_at timestamptz,
  primary key (newsletter_id, id)
);
-- Those with something left to do: their file is kept, or what they added goes away.
create index import_open on import (changed_at) where parts > 0 or state in ('uploading', 'cancelling', 'taking_back');
create index import_created_by on import (created_by) where created_by is not null;

-- Why rows were refused or left out, for the report.
create table import_refusal (
  newsletter_id text not null,
  import_id text not null,
  line integer not null,
  reason text not null check (reason ~ '^[a-z_]{1,40}$'),
  -- The cell that it is about, cut off.
  cell text not null check (length(cell) <= 200),
  primary key (newsletter_id, import_id, line, reason),
  foreign key (newsletter_id, import_id) references import (newsletter_id, id) on delete cascade
);

-- A UUIDv7 (RFC 9562, section 5.7) of a moment: 48 bits of milliseconds and 74 random bits. PostgreSQL has its own since version 18.
create function uuidv7_at(at timestamptz) returns uuid volatile parallel safe language sql as $$
  select encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- The rows of a file between its dry run and its import. Each import has a partition of its own, which is dropped with all its rows and
-- is not in the write-ahead log: after a crash of the database the file is read again.
create table import_row (
  newsletter_id text not null,
  import_id text not null,
  line integer not null,
  -- Why the row is refused, or null.
  refusal text,
  -- What of a row that is not refused could not be kept.
  note text,
  -- The cell that `refusal` or `note` is about.
  cell text,
  -- The line of the first row with the same address, into which this one was put.
  twin_of integer,
  -- Whoever is new gets this id.
  subscriber_id uuid not null default uuidv7_at(clock_timestamp()),
  email text,
  email_normalised text,
  name text,
  language text,
  status text,
  source text,
  created_at timestamptz,
  joined_at timestamptz,
  left_at timestamptz,
  left_reason text,
  paused_until timestamptz,
  fields jsonb,
  tags text[]
) partition by list (import_id);
