-- What an owner knows of their subscribers, and the groups that are made of it.

create table tag (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- Never used again after a tag is deleted: filters name tags by it.
  id integer not null generated always as identity,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  primary key (newsletter_id, id)
);
create unique index tag_name on tag (newsletter_id, lower(name));

create table subscriber_tag (
  newsletter_id text not null,
  tag_id integer not null,
  subscriber_id uuid not null,
  primary key (newsletter_id, tag_id, subscriber_id),
  foreign key (newsletter_id, tag_id) references tag (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create index subscriber_tag_subscriber on subscriber_tag (newsletter_id, subscriber_id);

create table custom_field (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  -- The name of its values in `subscriber.fields`, and in filters.
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  label text not null check (length(label) between 1 and 60),
  kind text not null check (kind in ('text', 'number', 'date', 'yes_no', 'choice')),
  -- Of the kind `choice`, in the order in which they are shown.
  choices text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (newsletter_id, id),
  check ((kind = 'choice') = (choices <> '{}'))
);
create unique index custom_field_key on custom_field (newsletter_id, key);
create unique index custom_field_label on custom_field (newsletter_id, lower(label));

alter table subscriber add column fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object');
comment on column subscriber.fields is 'Values of custom fields by their key: a string, a number, true or false, or a day as YYYY-MM-DD. A field without a value is not there.';

create table segment (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  name text not null check (length(name) between 1 and 60),
  -- A tree of conditions: server/segments/contract.ts.
  filter jsonb not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (newsletter_id, id)
);
create unique index segment_name on segment (newsletter_id, lower(name));

comment on column sending.audience is 'Who is meant: {"kind": "everyone"}, or a segment with its filter as it was when the sending was planned.';
