-- The sample is a step that is done once a relay or the outbox took it; that its draft was made says nothing of that.
alter table newsletter add column sample_mailed boolean not null default false;

-- Nothing was kept of earlier ones. Whoever has the draft has seen it.
update newsletter n set sample_mailed = true
where exists (select from publication p where p.newsletter_id = n.id and p.title in ('A sample letter', 'Un exemple de lettre'));
