-- An image has a row before it has a file, so that whatever happens in between leaves no file that nothing knows of. And the ids of
-- the images in a document are beside it, so that finding out where an image is used reads no document.

alter table media
  add column stored_at timestamptz,
  add column unused_since timestamptz default now();
comment on column media.stored_at is 'When its file was whole. Null while it is written; what stays so is removed.';
comment on column media.unused_since is 'Since when it was seen in no publication and no revision, as no cover and no logo. Null while it is used.';
-- What is there already is looked at by the first daily job, and has its whole time of grace from then.
update media set stored_at = created_at, unused_since = null;
create index media_created_by on media (created_by) where created_by is not null;
create index media_unused on media (unused_since) where unused_since is not null;

-- A picture of ours is named by its id, or by its address in any attribute.
create function media_in(content jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct coalesce(found[1], found[2])), '{}')
  from regexp_matches(
    content::text, '/media/([1-9A-Za-z]{10})(?![1-9A-Za-z])|"(?:mediaId|posterMediaId)": "([^"]{1,20})"', 'g') as found
$$;
alter table publication add column media_ids text[] not null generated always as (media_in(content)) stored;
alter table publication_revision add column media_ids text[] not null generated always as (media_in(content)) stored;
