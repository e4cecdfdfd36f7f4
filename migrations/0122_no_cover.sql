-- Whether a cover is drawn for a publication that has none of its own.
alter table publication add column draws_cover boolean not null default true;
