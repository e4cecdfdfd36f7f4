-- Which member did it. Null for sponsors, programs and API keys, and once the member's account is deleted.
alter table booking_step add column user_id text references "user" (id) on delete set null;
create index booking_step_user on booking_step (user_id) where user_id is not null;
