-- Which welcome a sending is of, or was before another publication was chosen: those who wait for it are held, let go on and ended with the welcome.
alter table sending add column welcome_id integer;
update sending s set welcome_id = w.id from welcome w where w.newsletter_id = s.newsletter_id and w.sending_id = s.id;
-- What was held when another publication was chosen waits since then. Its welcome is known where the newsletter has only one.
update sending s set welcome_id = w.id from welcome w
where w.newsletter_id = s.newsletter_id and s.welcome and s.state = 'paused' and s.welcome_id is null
  and not exists (select from welcome o where o.newsletter_id = w.newsletter_id and o.id <> w.id);
