-- Whoever may answer for the other newsletter agrees by naming it, also before a campaign has words (version 0).

alter table opt_in_campaign drop constraint opt_in_campaign_accepted_version_check;
alter table opt_in_campaign add constraint opt_in_campaign_accepted_version_check check (accepted_version >= 0);
