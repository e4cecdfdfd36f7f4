-- A guest has the name by which the side bar calls them, in their language.
update "user" set name = case when exists (select from profile p where p.user_id = "user".id and p.language = 'fr') then 'Visite' else 'Guest' end
  where is_anonymous and name = 'Anonymous';
