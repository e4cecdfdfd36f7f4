-- A publication that is out can be taken off the web, and put back. That is no state of it: what it was, how it was sent and its figures
-- stay as they are (docs/decisions/off-the-web.md).
alter table publication add column off_web_at timestamptz
  constraint publication_was_on_web check (off_web_at is null or published_at is not null);
comment on column publication.off_web_at is 'Since when its page is off the web; null while nobody took it off.';
