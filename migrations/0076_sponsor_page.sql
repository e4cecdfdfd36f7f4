-- The public page on which sponsors ask for a slot, and the signed link with which they follow their booking.

alter table newsletter
  -- `open` is for whom it is shown to, `listed` for search engines too.
  add column sponsor_page text not null default 'closed' check (sponsor_page in ('closed', 'open', 'listed')),
  -- Which figures it shows.
  add column sponsor_figures text[] not null default '{subscribers,accepted,clicks}'
    check (sponsor_figures <@ '{subscribers,accepted,clicks}'::text[]),
  -- What the owner says above it, by language: {"en": …, "fr": …}.
  add column sponsor_words jsonb not null default '{}';

-- Raised when the sponsor's link is to work no more: the next mail has another one.
alter table booking add column link_version smallint not null default 1 check (link_version between 1 and 30000);
