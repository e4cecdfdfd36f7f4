import type { Mutant } from './mutant.ts'

const page = 'docs/sponsorship.md'
const tests = ['server/sponsorship/report/report.test.ts']
const count = 'server/sponsorship/report/count.ts'
const job = 'server/sponsorship/report/report.job.ts'

/** What a sponsor is told of what they booked. */
export const sponsorReportMutants: Mutant[] = [
  {
    name: 'sponsor report: whoever has the link of a booking reads its report with it',
    promise: { in: page, says: 'ends the old one' },
    file: 'server/sponsorship/report/public-routes.ts',
    find: "readToken(signer, 'sponsor report',",
    replace: "readToken(signer, 'sponsor booking',",
    tests,
  },
  {
    name: 'sponsor report: an old link goes on working',
    promise: { in: page, says: 'ends the old one' },
    file: 'server/sponsorship/report/public-routes.ts',
    find: 'if (reported?.reportVersion !== linked.linkVersion) return null',
    replace: 'if (!reported) return null',
    tests,
  },
  {
    name: 'sponsor report: clicks after the seven days count',
    promise: { in: page, says: 'the seven days from the hour in which it ran' },
    file: count,
    find: 'and hour < ',
    replace: 'and hour <= ',
    tests,
  },
  {
    name: 'sponsor report: one device says who somebody is',
    promise: { in: page, says: 'What fewer than five clicks by people have is added up' },
    file: count,
    find: 'const FEWEST = 5',
    replace: 'const FEWEST = 1',
    tests,
  },
  {
    name: 'sponsor report: it is final a day too early',
    promise: { in: page, says: 'For seven days it is live' },
    file: 'server/sponsorship/report/report.ts',
    find: 'new Date(now.getTime() - DAYS_MS)',
    replace: 'new Date(now.getTime() - DAYS_MS + 1)',
    tests,
  },
  {
    name: 'sponsor report: a final report is counted anew',
    promise: { in: page, says: 'then it stays as it is' },
    file: 'server/sponsorship/report/report.ts',
    find: '...(takenAt ? Figures.parse(reported.figures) : await countFigures(db, reported)),',
    replace: '...(await countFigures(db, reported)),',
    tests,
  },
  {
    name: 'sponsor report: what was given back is reported and mailed',
    promise: { in: job, says: 'What was given back or made good has its report too, and stays' },
    file: job,
    find: "if (state !== 'ran') return null",
    replace: '',
    tests,
  },
  {
    name: 'sponsor report: who took a yes back is among the confirmed',
    promise: { in: 'i18n/en/sponsorReport.ts', says: 'Whoever took it back is not among the confirmed' },
    file: count,
    find: 'const confirmed = rows.reduce((sum, day) => sum + day.confirmed, 0)',
    replace: 'const confirmed = rows.reduce((sum, day) => sum + day.confirmed + day.undone, 0)',
    tests,
  },
  {
    name: 'sponsor report: raw clicks of devices are those of people',
    promise: { in: page, says: 'in both numbers' },
    file: count,
    find: 'sum(raw)::integer as raw, sum(human)',
    replace: 'sum(human)::integer as raw, sum(human)',
    tests,
  },
]
