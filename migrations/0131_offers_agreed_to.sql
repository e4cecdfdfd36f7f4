-- The other newsletter agrees to words, and is asked by mail once.

alter table opt_in_campaign
  -- The version whose words the other newsletter agreed to last, also when others took their place since.
  add column accepted_version integer check (accepted_version >= 1),
  -- When those who may answer for it were mailed; null: they were not, or words changed to which it had agreed.
  add column asked_at timestamptz;
update opt_in_campaign o set accepted_version = c.version from campaign c
  where c.newsletter_id = o.newsletter_id and c.id = o.id and o.accepted_at is not null;
comment on column opt_in_campaign.accepted_at is 'When the other newsletter agreed to get subscribers by it; null again when its words change.';
