-- The roles of members, invitations and API keys, from the one that may do most to the one that may do least. What each may
-- do is in server/permissions.ts. One statement adds a role: alter type newsletter_role add value 'designer' after 'editor';

create type newsletter_role as enum ('owner', 'editor', 'analyst');

alter table member
  drop constraint member_role_check,
  alter column role type newsletter_role using role::newsletter_role;
alter table invitation
  drop constraint invitation_role_check,
  alter column role type newsletter_role using role::newsletter_role;
alter table api_key
  drop constraint api_key_role_check,
  alter column role type newsletter_role using role::newsletter_role;
