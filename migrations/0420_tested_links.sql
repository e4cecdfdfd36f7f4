-- Links that a test mail had and that were taken out before the sending are no links of the publication.
alter table short_link
  -- Only test mails have it so far.
  add column tested boolean not null default false;
