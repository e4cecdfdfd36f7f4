-- Whether somebody has saved the branding. Who finds the first one good and saves it has chosen it, though no column differs.
alter table newsletter add column branding_chosen boolean not null default false;
