-- A newsletter says no to a campaign that another one offers: it is asked no more, until the offer is made anew or it agrees after all.

alter table opt_in_campaign add column declined_at timestamptz;
