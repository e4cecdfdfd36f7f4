-- Devices on which subscribers read what their plan opens. They are no sessions of owners and open nothing else.
create table reader_session (
  newsletter_id text not null,
  id uuid not null,
  subscriber_id uuid not null,
  -- SHA-256 of the cookie.
  token_hash bytea not null,
  -- Browser and system, such as 'Firefox, Linux'.
  device text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create unique index reader_session_token on reader_session (newsletter_id, token_hash);
create index reader_session_subscriber on reader_session (newsletter_id, subscriber_id);
create index reader_session_seen on reader_session (seen_at);
