-- An opt-in campaign without words has version 0, so that the first words that a reader can see are version 1.

alter table campaign drop constraint campaign_version_check;
alter table campaign add constraint campaign_version_check check (version >= case kind when 'opt-in' then 0 else 1 end);
update campaign c set version = 0
  where c.kind = 'opt-in' and c.version = 1
    and not exists (select from campaign_words w where w.newsletter_id = c.newsletter_id and w.campaign_id = c.id);
