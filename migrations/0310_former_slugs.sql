-- The addresses that a publication had since it was out: mails and links lead to them.
create table former_slug (
  newsletter_id text not null,
  slug text not null,
  publication_id text not null,
  given_up_at timestamptz not null default now(),
  primary key (newsletter_id, slug),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
);
create index former_slug_of on former_slug (newsletter_id, publication_id, given_up_at desc);
