-- That readers pause and resume is in what happened to them, as how often they want mail is.
alter table event drop constraint event_kind_check,
  add constraint event_kind_check check (kind in ('asked', 'confirmed', 'unsubscribed', 'returned', 'opened', 'bounced',
    'complained', 'restored', 'chose_every', 'chose_weekly', 'chose_monthly', 'paused', 'resumed', 'moved'));
