-- The day of the newsletter's calendar for which a draft is written, such as that of a sponsor's booking: a colleague, and the same person
-- on another device, see it too. Once the publication is scheduled, that time counts.

alter table publication add column planned_day date;
