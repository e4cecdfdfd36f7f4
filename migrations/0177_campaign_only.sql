-- Who said yes to a campaign and never asked to subscribe is no subscriber who has yet to confirm: nobody has asked them to.

alter table subscriber drop constraint subscriber_status_check;
alter table subscriber add constraint subscriber_status_check
  check (status in ('pending', 'active', 'unsubscribed', 'bounced', 'complained', 'campaign_only'));

update subscriber s set status = 'campaign_only'
where s.status = 'pending' and s.source = 'campaign' and not exists (
  select from consent c where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id and c.purpose = 'newsletter');
