-- What stood before an earlier version was brought back stays in the history, though its author saves again within the same minutes.
alter table publication_revision add column kept boolean not null default false;
alter table deleted_publication_revision add column kept boolean not null default false;
