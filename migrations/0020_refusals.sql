-- A refusal that says that an address does not exist takes effect on its subscriber only when the sending has shown that its
-- refusals are about subscribers and not about the relay.

alter table delivery add column gone boolean not null default false;
comment on column delivery.gone is 'The answer says that the address does not exist, and its subscriber is not yet marked as bounced.';
create index delivery_gone on delivery (newsletter_id, sending_id) where gone;

alter table sending add column trusts_refusals boolean not null default false;
comment on column sending.trusts_refusals is 'Its owner has said that the addresses really do not exist, so many of them no longer pause it.';
