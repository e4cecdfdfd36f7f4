import type { Mutant } from './mutant.ts'

const docs = (says: string) => ({ in: 'docs/sponsorship.md', says })
const slots = 'server/sponsorship/slots/slots.test.ts'
const filling = 'server/sponsorship/slots/filling.test.ts'

/** Sponsor slots: who stands in them, who sees them, and what has run. */
export const slotMutants: Mutant[] = [
  {
    name: 'slot: who pays sees a sponsor that is hidden from them',
    promise: docs('then no mail and no page of a paid subscriber has it'),
    file: 'server/publications/document/visible.ts',
    find: "return hidesFromPaid(node) && !isOpen('free', access) ? [] : sponsorsIn(node)",
    replace: 'return sponsorsIn(node)',
    tests: [slots],
  },
  {
    name: 'slot: words that nobody approved run',
    promise: docs('the slot takes the approved bookings of its day'),
    file: 'server/sponsorship/slots/filling.ts',
    find: "booking.placementId === placementId && booking.state === 'approved'",
    replace: 'booking.placementId === placementId',
    tests: [filling],
  },
  {
    name: 'slot: what goes to the web only runs a booking',
    promise: docs('runs no booking'),
    file: 'server/sponsorship/slots/filling.ts',
    find: 'audience !== null && !(',
    replace: '!(audience !== null && ',
    tests: [filling, slots],
  },
  {
    name: 'slot: a house campaign stands twice in a publication',
    promise: docs('none twice in a publication'),
    file: 'server/sponsorship/slots/filling.ts',
    find: 'turns.shift()',
    replace: 'turns[0]',
    tests: [filling],
  },
  {
    name: 'slot: a booking of another day is shown as scheduled',
    promise: docs('shown as *scheduled*'),
    file: 'server/sponsorship/bookings/bookings.ts',
    find: '(s.scheduled_at at time zone n.timezone)::date = b.day',
    replace: 's.scheduled_at is not null',
    tests: [slots],
  },
  {
    name: 'slot: a sponsor shares the link of the author',
    promise: docs('each sponsor has a short link of their own'),
    file: 'server/publications/mails.ts',
    find: '(linkId ? ofSponsors.get(linkId) : links.get(href))',
    replace: 'links.get(href)',
    tests: [slots],
  },
  {
    name: 'slot: a late start takes the sponsors of another day',
    promise: docs('belongs to the day for which it was scheduled'),
    file: 'server/publications/publish.ts',
    find: 'order.dueAt ?? published.published_at',
    replace: 'published.published_at',
    tests: [slots],
  },
]
