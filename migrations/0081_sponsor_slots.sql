-- Blocks of a publication in which sponsors stand. The server fills them when the publication goes out.

alter table publication
  -- What stood in its slots when it went out, by placement: {"3": [{"kind", "id", "linkId", …}]}. Null before.
  add column sponsors jsonb,
  -- Its slots that somebody sees, in reading order: [{"placementId", "hideFromPaid"}].
  add column sponsor_slots jsonb not null default '[]';
create index publication_scheduled on publication (newsletter_id, scheduled_at) where state = 'scheduled';

-- Whatever is written into a document, its slots say what `sponsors` says, so nobody can put words into a sponsor's mouth.
create function write_sponsor_slots() returns trigger language plpgsql as $$
begin
  if not new.content @? '$.content[*] ? (@.type == "sponsorSlot")' then
    new.sponsor_slots = '[]';
    return new;
  end if;
  new.content = jsonb_set(new.content, '{content}', (
    select jsonb_agg(
      case when node ->> 'type' = 'sponsorSlot' then
        jsonb_set(node, '{attrs,filled}', coalesce(new.sponsors -> (node -> 'attrs' ->> 'placementId'), 'null'))
      else node end order by place)
    from jsonb_array_elements(new.content -> 'content') with ordinality as block (node, place)));
  -- Below a paywall nobody is left who has not paid.
  new.sponsor_slots = (
    with block as (
      select node, place from jsonb_array_elements(new.content -> 'content') with ordinality as block (node, place)
    ), paywall as (select min(place) as place from block where node ->> 'type' = 'paywall')
    select coalesce(jsonb_agg(jsonb_build_object(
      'placementId', node -> 'attrs' -> 'placementId', 'hideFromPaid', node -> 'attrs' -> 'hideFromPaid') order by block.place), '[]')
    from block, paywall
    where node ->> 'type' = 'sponsorSlot'
      and not (coalesce(block.place > paywall.place, false) and node -> 'attrs' -> 'hideFromPaid' = 'true'));
  return new;
end $$;
create trigger publication_sponsor_slots before insert or update of content, sponsors on publication
  for each row execute function write_sponsor_slots();

-- What a slot begins with, where it is put into a publication.
alter table newsletter add column sponsors_hidden_from_paid boolean not null default true;

-- Each sponsor has a link of their own, beside another one of the publication that leads to the same address.
alter table short_link add column for_sponsor boolean not null default false;
drop index short_link_of_publication;
create unique index short_link_of_publication on short_link (newsletter_id, publication_id, target)
  where publication_id is not null and not for_sponsor;

-- What a newsletter says of its own in a slot that nobody booked.
create table house_campaign (
  newsletter_id text not null,
  id text not null,
  -- By language: {"en": {"name", "text", "label"}, "fr": …}.
  words jsonb not null,
  target text not null,
  -- Those that were shown the longest ago come first.
  shown_at timestamptz,
  shown integer not null default 0 check (shown >= 0),
  primary key (newsletter_id, id),
  foreign key (newsletter_id, id) references campaign (newsletter_id, id) on delete cascade
);
