import { digitsOf } from '../../charge/money.ts'
import { csvText } from '../../database/csv.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { AdvertiseChart } from './contract.ts'
import type { Results } from './results.ts'

type Row = (string | number | null)[]

const tables: Record<AdvertiseChart, (results: Results) => Row[] | null> = {
  revenue: ({ revenue }) =>
    revenue && [
      ['month', 'currency', 'booked', 'paid', 'given_back'],
      ...revenue.map(({ month, currency, ...sums }) => [
        ...[month.slice(0, 7), currency],
        ...[sums.booked, sums.paid, sums.givenBack].map((amount) => amount / 10 ** digitsOf(currency)),
      ]),
    ],
  clicks: ({ points }) => [['day', 'raw', 'human'], ...points.map(({ since, raw, human }) => [since, raw, human])],
  places: ({ places }) => [
    ['link', 'name', 'day', 'raw', 'human'],
    ...places.map(({ linkId, name, day, raw, human }) => [linkId, name, day, raw, human]),
  ],
  yeses: ({ yeses }) => yeses && [['day', 'confirmed'], ...yeses.map(({ day, confirmed }) => [day, confirmed])],
}

/** A chart as CSV. Its names are those of the API in every language, for programs. @throws AppError forbidden for what the caller may not read */
export function chartCsv(results: Results, chart: AdvertiseChart, sheet?: Language): string {
  const rows = tables[chart](results)
  if (!rows) throw new AppError('forbidden')
  return csvText(rows, sheet)
}
