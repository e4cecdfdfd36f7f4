-- Why somebody left stays in their timeline when they come back. Of subscriber.left_reason it was gone then.
alter table event add column reason text;
update event e set reason = s.left_reason from subscriber s
where s.newsletter_id = e.newsletter_id and s.id = e.subscriber_id and e.kind = 'unsubscribed' and e.at = s.left_at
  and s.status = 'unsubscribed' and s.left_reason in ('tooMany', 'notForMe', 'neverAsked', 'other');
