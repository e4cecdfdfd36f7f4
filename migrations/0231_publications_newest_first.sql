-- The list of publications begins with the newest: what went out by when it did, everything else by its last edit.
create index publication_newest on publication (newsletter_id, (coalesce(published_at, edited_at)) desc, id desc);
