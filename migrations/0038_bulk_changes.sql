-- One act on many subscribers, done in batches and taken back by whoever did it.

create table bulk_change (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  act text not null check (act in ('tag', 'untag', 'unsubscribe', 'erase')),
  -- Of `tag` and `untag`. The tag may be deleted later.
  tag_id integer check ((tag_id is not null) = (act in ('tag', 'untag'))),
  state text not null default 'running' check (state in ('running', 'done', 'stopped', 'undoing', 'undone')),
  user_id text references "user" (id) on delete set null,
  api_key_id text,
  -- Of the words in receipts.
  language language_code not null,
  -- Chosen, looked at so far, and changed.
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  -- Of those who were changed, looked at while undoing, and as they were again.
  undone integer not null default 0,
  restored integer not null default 0,
  -- The last one that was looked at. It moves in the transaction of their change, so that nobody is changed twice.
  after_subscriber uuid,
  created_at timestamptz not null default now(),
  worked_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (newsletter_id, id)
);
-- One at a time in a newsletter.
create unique index bulk_change_under_way on bulk_change (newsletter_id) where state in ('running', 'undoing');
create index bulk_change_user on bulk_change (user_id) where user_id is not null;

-- Who was chosen, at the moment of the choice. It has no foreign keys, which would be checked a million times: erasing a person
-- and deleting a newsletter delete from it. A person’s rows are found by the primary key, change by change; there are few changes.
create table bulk_change_subscriber (
  newsletter_id text not null,
  bulk_change_id uuid not null,
  subscriber_id uuid not null,
  changed boolean not null default false,
  -- As they were before they were unsubscribed, and when that was.
  status text,
  paused_until timestamptz,
  left_at timestamptz,
  primary key (newsletter_id, bulk_change_id, subscriber_id)
);
