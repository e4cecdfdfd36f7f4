-- Whether the mail is for somebody for whom a member enters a plan with their address: it says that they may read already.
alter table confirmation_mail add column reads boolean not null default false;
