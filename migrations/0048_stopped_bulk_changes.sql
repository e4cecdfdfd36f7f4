-- Whether a change of many subscribers stopped because whoever began it may no longer change them.
alter table bulk_change add column asker_lost_right boolean not null default false;
