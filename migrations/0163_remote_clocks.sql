-- The clock of another server may be wrong: the date of a document is kept as it says beside the time of ours at which it was read.
alter table remote_newsletter add column signed_at timestamptz, add column read_at timestamptz, add column refused text
  check (refused in ('remote_unreachable', 'remote_invalid', 'remote_ahead', 'remote_over', 'remote_older'));
update remote_newsletter set signed_at = renewed_at, read_at = renewed_at;
alter table remote_newsletter alter column signed_at set not null, alter column read_at set not null;
comment on column remote_newsletter.signed_at is 'The date of the newest document that counted, by the clock of its server';
comment on column remote_newsletter.read_at is 'When that document was read, by the clock of this server';
comment on column remote_newsletter.refused is 'Why what was read last does not count';
