-- Newsletters of other servers that are recommended. Each is a recommendation without a newsletter of this server.
create table remote_newsletter (
  newsletter_id text not null,
  id text not null,
  -- Where its signed document is.
  document_url text not null check (length(document_url) <= 500),
  subscribe_url text not null check (length(subscribe_url) <= 500),
  name text not null check (length(name) between 1 and 120),
  description text not null check (length(description) <= 500),
  language text not null,
  -- The Ed25519 public key that the owner accepted, as the `x` of its JWK (RFC 8037).
  key text not null check (length(key) = 43),
  -- When a document of that key was read last.
  renewed_at timestamptz not null,
  -- What a later document says otherwise. It counts only when the owner accepts it.
  new_name text check (length(new_name) between 1 and 120),
  new_key text check (length(new_key) = 43),
  next_attempt_at timestamptz not null,
  failures integer not null default 0,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, id) references recommendation (newsletter_id, id) on delete cascade
);
create unique index remote_newsletter_document on remote_newsletter (newsletter_id, document_url);
create index remote_newsletter_due on remote_newsletter (next_attempt_at);
