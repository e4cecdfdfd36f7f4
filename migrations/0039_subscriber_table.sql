-- Sorting the table of subscribers, and what members know and did of one of them.

-- Null until something changes.
alter table subscriber add column changed_at timestamptz;
create function note_subscriber_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;
create trigger note_change before update on subscriber for each row
  when (old.* is distinct from new.*) execute function note_subscriber_change();

-- The name that is shown, or the address, without accents and capitals: é comes with e in every database.
create function subscriber_sort_name(name text, email_normalised text) returns text
  immutable parallel safe language sql
  return lower(regexp_replace(normalize(coalesce(nullif(name, ''), email_normalised), NFD), '[\u0300-\u036f]', '', 'g'));

-- An order needs an index that ends with the id, where the page before ended.
create index subscriber_by_name on subscriber (newsletter_id, subscriber_sort_name(name, email_normalised) collate "C", id);
create index subscriber_by_joined on subscriber (newsletter_id, coalesce(confirmed_at, created_at), id);
create index subscriber_by_change on subscriber (newsletter_id, coalesce(changed_at, greatest(created_at, confirmed_at, left_at)), id);
-- A language or an origin that few have is found without reading the others.
create index subscriber_by_language on subscriber (newsletter_id, language, id);
create index subscriber_by_source on subscriber (newsletter_id, source, id);

create table subscriber_note (
  newsletter_id text not null,
  id uuid not null,
  subscriber_id uuid not null,
  user_id text references "user" (id) on delete set null,
  at timestamptz not null default now(),
  text text not null check (length(text) between 1 and 2000),
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create index subscriber_note_subscriber on subscriber_note (newsletter_id, subscriber_id);
create index subscriber_note_user on subscriber_note (user_id) where user_id is not null;

-- What members and API keys changed of a subscriber: tags and custom fields. Consent has its receipts.
create table subscriber_edit (
  newsletter_id text not null,
  id uuid not null,
  subscriber_id uuid not null,
  user_id text references "user" (id) on delete set null,
  api_key_id text,
  at timestamptz not null default now(),
  -- The names of tags at the time, and the keys of fields.
  given text[] not null default '{}',
  taken text[] not null default '{}',
  fields text[] not null default '{}',
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);
create index subscriber_edit_subscriber on subscriber_edit (newsletter_id, subscriber_id);
create index subscriber_edit_user on subscriber_edit (user_id) where user_id is not null;
