-- Whether the server of a recommended newsletter is made up by the demo: nobody can ask it anything, so that it never runs out. No request sets it.
alter table remote_newsletter add column is_demo boolean not null default false;
