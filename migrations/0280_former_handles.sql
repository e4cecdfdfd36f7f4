-- The addresses that a newsletter had before: mails that were sent lead to them.
create table former_handle (
  handle text primary key,
  newsletter_id text not null references newsletter (id) on delete cascade,
  given_up_at timestamptz not null default now()
);
create index former_handle_of on former_handle (newsletter_id, given_up_at desc);
