-- Whoever a file says has left is kept as such when its import is taken back, unless the file was wrong about it.
alter table import add column drops_left boolean not null default false;
comment on column import.drops_left is 'Taken back with those whom the file says have left.';
