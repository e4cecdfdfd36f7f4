import type { Mutant } from './mutant.ts'

const figures = 'server/sponsorship/public/figures.ts'
const publicFigures = ['server/sponsorship/public/figures.test.ts']

/** What strangers are told of a newsletter that they could buy a place in. */
export const sponsorFigureMutants: Mutant[] = [
  {
    name: 'sponsor figures: copies are an average',
    promise: { in: 'docs/sponsorship.md', says: 'each as the middle one of the last eight publications' },
    file: figures,
    find: 'percentile_disc(0.5) within group (order by accepted)::integer',
    replace: 'avg(accepted)::integer',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: clicks are an average',
    promise: { in: 'docs/sponsorship.md', says: 'each as the middle one of the last eight publications' },
    file: figures,
    find: 'percentile_disc(0.5) within group (order by coalesce((',
    replace: 'avg(coalesce((',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: of an even number the larger one in the middle is shown',
    promise: { in: 'docs/sponsorship.md', says: 'They are rounded down' },
    file: figures,
    find: 'percentile_disc(0.5) within group (order by accepted)::integer',
    replace: 'percentile_disc(0.5) within group (order by accepted desc)::integer',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: all publications count',
    promise: { in: 'docs/sponsorship.md', says: 'the last eight publications that were mailed' },
    file: figures,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: ' limit ${MOST_PUBLICATIONS}',
    replace: '',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: the first publications count instead of the last',
    promise: { in: 'docs/sponsorship.md', says: 'the last eight publications that were mailed' },
    file: figures,
    find: 'order by p.published_at desc',
    replace: 'order by p.published_at',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: a publication counts before its clicks have come',
    promise: { in: 'docs/sponsorship.md', says: 'that were mailed and are two days old' },
    file: figures,
    find: "interval '2 days'",
    replace: "interval '1 day'",
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: what reached nobody counts',
    promise: { in: 'docs/sponsorship.md', says: 'that were mailed and are two days old' },
    file: figures,
    find: ' and d.accepted > 0',
    replace: '',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: digests count',
    promise: { in: figures, says: 'of the last publications that were mailed' },
    file: figures,
    find: ' and p.digest is null',
    replace: '',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: clicks of programs count',
    promise: { in: 'docs/sponsorship.md', says: 'clicks of people' },
    file: figures,
    find: 'sum(r.human)',
    replace: 'sum(r.raw)',
    tests: publicFigures,
  },
  {
    name: 'sponsor figures: whoever left is a subscriber',
    promise: { in: 'docs/sponsorship.md', says: 'confirmed subscribers' },
    file: figures,
    find: "countByStatus(db, newsletterId, 'active')",
    replace: 'countByStatus(db, newsletterId, undefined)',
    tests: publicFigures,
  },
]

const mails = ['server/sponsorship/public/mails.test.ts']
const tell = 'server/sponsorship/tell.ts'
const mailed = { in: 'docs/sponsorship.md', says: 'Sponsors are mailed, in their language' }

/** What sponsors get by mail. */
export const sponsorMailMutants: Mutant[] = [
  {
    name: 'sponsor mail: they come in the newsletter’s language',
    promise: mailed,
    file: tell,
    find: 'const { language } = booking\n',
    replace: 'const { language } = newsletter\n',
    tests: mails,
  },
  {
    name: 'sponsor mail: whoever asks gets no link of their own',
    promise: { in: 'docs/sponsorship.md', says: 'when their request is in and when they withdraw' },
    file: 'server/sponsorship/public/request.ts',
    find: "await changes.tellSponsor(tx, key, { act: 'request' })",
    replace: '',
    tests: mails,
  },
  {
    name: 'sponsor mail: whoever withdraws hears nothing',
    promise: { in: 'docs/sponsorship.md', says: 'when their request is in and when they withdraw' },
    file: 'server/sponsorship/public/booking-routes.ts',
    find: "await changes.tellSponsor(tx, key, { act: 'withdraw' })",
    replace: '',
    tests: mails,
  },
  {
    name: 'sponsor mail: a payment asks for a text that is in',
    promise: { in: 'docs/sponsorship.md', says: 'asks for nothing that is there already' },
    file: tell,
    find: "act === 'pay' && booking.state !== 'paid'",
    replace: "act === 'pay' && booking.state === 'requested'",
    tests: mails,
  },
  {
    name: 'sponsor mail: whoever paid and is cancelled owes nothing',
    promise: { in: tell, says: 'and on what they paid' },
    file: tell,
    find: 'if (paidHere > 0) return paidHere <',
    replace: 'if (paidHere < 0) return paidHere <',
    tests: mails,
  },
  {
    name: 'sponsor mail: whose text ran is told that nothing is owed once another day is cancelled',
    promise: { in: 'docs/sponsorship.md', says: 'Whose text ran keeps its price' },
    file: tell,
    find: 'if (ran) return',
    replace: 'if (!ran && ran) return',
    tests: mails,
  },
  {
    name: 'sponsor mail: a report leads to the page of the booking',
    promise: { in: 'docs/sponsorship.md', says: 'when its report is final' },
    file: tell,
    find: "act === 'report'\n          ? reportAddress",
    replace: "act === 'refund'\n          ? reportAddress",
    tests: mails,
  },
]
