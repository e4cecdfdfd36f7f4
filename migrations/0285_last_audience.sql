-- Whom a draft was to go to before it was taken back: it is sent to the same people unless somebody chooses others.
alter table publication add column last_audience jsonb;
