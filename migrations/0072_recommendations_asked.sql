-- By which recommendation somebody was asked who has not confirmed yet: they chose it after a link of a mail, which proves no address.
create table recommendation_asked (
  newsletter_id text not null,
  subscriber_id uuid not null,
  from_newsletter_id text not null,
  campaign_id text not null,
  primary key (newsletter_id, subscriber_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade,
  foreign key (from_newsletter_id, campaign_id) references campaign (newsletter_id, id) on delete cascade
);
create index recommendation_asked_from on recommendation_asked (from_newsletter_id, campaign_id);
