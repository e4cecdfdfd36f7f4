-- Which rows of an import made somebody count who had not confirmed yet: afterwards their status no longer says so.
alter table import_row add column confirms boolean not null default false;
