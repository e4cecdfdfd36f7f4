-- Of an erased subscriber a keyed hash of their address stays, so that no import and no member brings them back. It says nothing to
-- whoever has the database alone.
create table erased_address (
  newsletter_id text not null references newsletter (id) on delete cascade,
  hash bytea not null,
  -- Why mail to the address was stopped. Null: it was not.
  reason text check (reason in ('bounced', 'complained', 'by_hand')),
  at timestamptz not null default now(),
  primary key (newsletter_id, hash)
);
