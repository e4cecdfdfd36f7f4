-- Whether a letter that is pressed outside a field does something. Who dictates to the computer would press them unmeant.
alter table profile add column single_keys boolean not null default true;
