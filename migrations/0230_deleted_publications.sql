-- A draft that was deleted, for the 30 days in which it can be restored. It is moved here with its versions, so that nothing that reads
-- publications can show it. What comes back is a draft: its number, its sendings and its page on the web are not kept.

create table deleted_publication (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  slug text,
  title text not null,
  subtitle text not null,
  subject text not null,
  language language_code not null,
  content jsonb not null,
  media_ids text[] not null generated always as (media_in(content)) stored,
  words text not null,
  whole_words text,
  cover_media_id text,
  draws_cover boolean not null,
  revision integer not null,
  author_id text references "user" (id) on delete set null,
  planned_day date,
  created_at timestamptz not null,
  edited_at timestamptz not null,
  deleted_at timestamptz not null default now(),
  primary key (newsletter_id, id)
);
create index deleted_publication_newest on deleted_publication (newsletter_id, deleted_at desc, id desc);

create table deleted_publication_revision (
  newsletter_id text not null,
  publication_id text not null,
  revision integer not null,
  title text not null,
  subtitle text not null,
  content jsonb not null,
  media_ids text[] not null generated always as (media_in(content)) stored,
  saved_by text references "user" (id) on delete set null,
  saved_by_key text,
  saved_at timestamptz not null,
  primary key (newsletter_id, publication_id, revision),
  foreign key (newsletter_id, publication_id) references deleted_publication (newsletter_id, id)
    on delete cascade on update cascade
);
