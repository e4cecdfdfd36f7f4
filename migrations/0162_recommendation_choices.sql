-- Which newsletter a reader chose last and when, so that a form that is posted again counts nothing. Kept for fourteen days.
create table recommendation_choice (
  newsletter_id text not null,
  subscriber_id uuid not null,
  campaign_id text not null,
  at timestamptz not null,
  primary key (newsletter_id, subscriber_id, campaign_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, campaign_id) references recommendation (newsletter_id, id) on delete cascade
);
create index recommendation_choice_campaign on recommendation_choice (newsletter_id, campaign_id);
create index recommendation_choice_at on recommendation_choice (at);
