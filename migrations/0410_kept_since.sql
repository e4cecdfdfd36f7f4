-- Where opens, clicks or who clicked were not kept, a 0 would say that nobody opened or clicked. docs/decisions/privacy-modes.md
alter table newsletter
  -- Since when what the privacy settings keep is kept; null: ever since there is the newsletter. While they do not keep it, this says nothing.
  add column clickers_since timestamptz,
  add column clicks_since timestamptz,
  add column openers_since timestamptz,
  add column opens_since timestamptz;
update newsletter n set
  clickers_since = (select max(at) from audit where newsletter_id = n.id and act = 'settings_changed' and detail ? 'clickPrivacy'),
  clicks_since = (select max(at) from audit where newsletter_id = n.id and act = 'settings_changed' and detail ? 'clickPrivacy'),
  openers_since = (select max(at) from audit where newsletter_id = n.id and act = 'settings_changed' and detail ? 'openPrivacy'),
  opens_since = (select max(at) from audit where newsletter_id = n.id and act = 'settings_changed' and detail ? 'openPrivacy');
