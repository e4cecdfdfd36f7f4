-- Steps of the set-up that somebody does not want to be asked about again. They can be brought back.
alter table newsletter add column skipped_steps text[] not null default '{}';
