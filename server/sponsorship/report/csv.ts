import { csvText } from '../../database/csv.ts'
import type { Language } from '../../languages.ts'
import { placementNameIn } from '../public/words.ts'
import type { Report } from './contract.ts'
import { daysOf, hourAt } from './time.ts'

type Value = string | number | null
type Row = [part: string, of: Value, measure: string, value: Value]

interface Written {
  /** In which the placement is named. */
  language: Language
  /** Of the spreadsheet that opens it; without it, for programs. */
  sheet: Language | undefined
  now: Date
}

/** A report as CSV: one number in each line, with what it is of. Its names are the same in every language, for programs. */
export const reportCsv = (report: Report, { language, sheet, now }: Written): string =>
  csvText(
    [
      ['part', 'of', 'measure', 'value'],
      ...aboutRows(report, { language, now }),
      ...clickRows(report, now),
      ...yesRows(report),
    ],
    sheet,
  )

const aboutRows = (report: Report, { language, now }: { language: Language; now: Date }): Row[] => [
  ['report', null, 'sponsor', report.sponsor],
  ['report', null, 'placement', placementNameIn({ words: report.placement }, language)],
  ['report', null, 'day', report.day],
  ['report', null, 'publication_number', report.publication?.number ?? null],
  ['report', null, 'publication_title', report.publication?.title ?? null],
  ['report', null, 'publication_address', report.url],
  ['report', null, 'ran_at', report.ranAt],
  ['report', null, 'taken_at', report.takenAt ?? now.toISOString()],
  ['report', null, 'final', String(report.takenAt !== null)],
  ['copies', null, 'intended', report.copies?.intended ?? null],
  ['copies', null, 'accepted', report.copies?.accepted ?? null],
]

function clickRows(report: Report, now: Date): Row[] {
  const { clicks } = report
  if (!clicks) return [['clicks', null, 'raw', null]]
  const { raw, human, excluded, hours, devices, countries } = clicks
  return [
    ['clicks', null, 'raw', raw],
    ['clicks', null, 'human', human],
    ['clicks', null, 'interrupted', String(clicks.interrupted)],
    ...excluded.map((one): Row => ['rule', one.rule, 'excluded', one.clicks]),
    ...daysOf(report, clicks, now)
      .filter(({ isAhead }) => !isAhead)
      .flatMap((day): Row[] => [
        ['day', day.since.toISOString(), 'raw', day.raw],
        ['day', day.since.toISOString(), 'human', day.human],
      ]),
    ...hours.flatMap((one): Row[] => [
      ['hour', hourAt(report, one.hour).toISOString(), 'raw', one.raw],
      ['hour', hourAt(report, one.hour).toISOString(), 'human', one.human],
    ]),
    ...devices.flatMap((one) => sourceRows('device', one)),
    ...countries.flatMap((one) => sourceRows('country', one)),
  ]
}

type Source = NonNullable<Report['clicks']>['devices'][number]

const sourceRows = (part: string, { value, raw, human }: Source): Row[] => [
  [part, value, 'raw', raw],
  [part, value, 'human', human],
]

const yesRows = ({ yes }: Report): Row[] =>
  yes
    ? [
        ['yes', null, 'said', yes.said],
        ['yes', null, 'confirmed', yes.confirmed],
        ['yes', null, 'undone', yes.undone],
      ]
    : []
