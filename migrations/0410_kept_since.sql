-- Where opens, clicks or who clicked were not kept, a 0 would say that nobody opened or clicked. docs/decisions/privacy-modes.md
alter table newsletter
  -- Since when what the privacy settings keep is kept; null: ever since there is the newsletter. While they do not keep it, this says nothing.
  add column clickers_since timestamptz,
  add column clicks_since timestamptz,
  add column openers_since timestamptz,
  add column opens_since timestamptz;
with privacy as (
  select newsletter_id, at, detail ->> 'clickPrivacy' as clicks, detail ->> 'openPrivacy' as opens
  from audit where act = 'settings_changed' and outcome = 'done'
)
update newsletter n set
  clickers_since = (select max(at) from privacy where newsletter_id = n.id and clicks = 'person'),
  openers_since = (select max(at) from privacy where newsletter_id = n.id and opens = 'person'),
  clicks_since = (select min(at) from privacy where newsletter_id = n.id and clicks <> 'off'
    and at > (select max(at) from privacy where newsletter_id = n.id and clicks = 'off')),
  opens_since = (select min(at) from privacy where newsletter_id = n.id and opens <> 'off'
    and at > (select max(at) from privacy where newsletter_id = n.id and opens = 'off'));
