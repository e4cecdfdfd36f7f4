-- The subscriber's own page.

alter table custom_field add column shown_to_subscriber boolean not null default false;
comment on column custom_field.shown_to_subscriber is 'Whether its value is on the own page of each subscriber. It is in the file that they download in any case.';
