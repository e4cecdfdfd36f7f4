-- Who is reminded of an end: those who pay outside, those with a gift, those who have it for nothing. The last two only once their owner says so.
alter table newsletter add column remind_ways text[] not null default '{outside}'
  check (remind_ways <@ '{outside,gift,complimentary}');
