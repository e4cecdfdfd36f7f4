-- To erase a person, and to show what one subscriber received and clicked, without reading a whole newsletter.
--
-- Deliveries need none: a subscriber's are found by the primary key, publication by publication. An index of their own
-- would be written again at every change of state, for every mail that is sent.

create index click_subscriber on click (newsletter_id, subscriber_id) where subscriber_id is not null;
create index event_subscriber on event (newsletter_id, subscriber_id) where subscriber_id is not null;
