-- For so many seconds, what was sent now can be taken back. 0: it leaves at once.
alter table newsletter add column take_back_seconds smallint not null default 10 check (take_back_seconds between 0 and 60);

-- Somebody sent it now. It is scheduled for the end of those seconds, and is a draft again when it is taken back.
alter table publication add column leaving boolean not null default false
  check (not leaving or (state = 'scheduled' and scheduled_at is not null));
