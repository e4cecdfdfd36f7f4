import { Table, VisuallyHidden } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../server/languages.ts'
import { useFormat } from '../../format.ts'
import classes from './figures.module.css'
import { balanceOf, isEmpty, movementKinds, type Point } from './movement-kinds.ts'
import { MovementsChart } from './movements-chart.tsx'
import type { Figures, Recurring } from './queries.ts'
import { hasCents, useMoney } from './use-money.ts'

const NAME_WIDTH = 176
const COLUMN_WIDTH = 64
const SUM_WIDTH = 102
/** So many columns stand below their bars. More, and those of a phone, are a table of rows, which opens. */
const MOST_COLUMNS = 12
/** From this recurring revenue on, months are written in whole units of the currency. */
const WITHOUT_CENTS = 1000

interface Props {
  figures: Figures
  currency: string
  compared: boolean
}

/** How the recurring revenue moved: a chart, and its numbers as a table. */
export function Movements({ figures, currency, compared }: Props) {
  const { t } = useTranslation()
  const { ref, width } = useElementSize()
  const { points } = figures.recurring
  const before = compared ? figures.recurringBefore.points : []
  const shown = { currency, points, before, label: t('figures.chart') }
  const count = points.length + before.length
  // Few columns are as wide as there is room, for the bars and the table alike.
  const column = Math.max(COLUMN_WIDTH, (width - NAME_WIDTH - 2 * SUM_WIDTH) / count)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const name = useStepName(figures.by, count)
  if (isEmpty(figures) && before.every(({ end }) => end === 0))
    return <p className={classes.note}>{t('figures.noneRecurring')}</p>
  if (count <= MOST_COLUMNS && !isNarrow)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window it scrolls, also by the keyboard
      <section ref={toTheNewest} className={classes.scroll} aria-label={t('figures.movements')} tabIndex={0}>
        <div ref={ref} style={{ minWidth: NAME_WIDTH + count * COLUMN_WIDTH + 2 * SUM_WIDTH }}>
          <MovementsChart {...shown} left={NAME_WIDTH} step={column} />
          <ColumnTable figures={figures} currency={currency} before={before} column={column} />
        </div>
      </section>
    )
  return (
    <section ref={ref} aria-label={t('figures.movements')}>
      <Legend />
      <MovementsChart {...shown} left={0} step={Math.max(3, ((width || 900) - 70) / count)} name={name} />
      <details className={classes.details}>
        <summary>{t('figures.asTable')}</summary>
        <RowTable points={[...before, ...points]} currency={currency} by={figures.by} />
      </details>
    </section>
  )
}

/** Where not all months have room, the newest are in sight. */
const toTheNewest = (scrolled: HTMLElement | null) => scrolled?.scrollTo({ left: scrolled.scrollWidth })

function Legend() {
  const { t } = useTranslation()
  return (
    <ul className={classes.legend}>
      {movementKinds.map(({ kind, colour }) => (
        <li key={kind}>
          <i style={{ background: colour }} />
          {t(`figures.kind.${kind}`)}
        </li>
      ))}
      <li>
        <i className={classes.mark} />
        {t('figures.balance')}
      </li>
    </ul>
  )
}

/** Names a month or day as narrowly as its column; with its year, where there are more than a year has. */
function useStepName(by: Figures['by'], count: number) {
  const { locale } = useFormat()
  const day = by === 'day' ? ({ day: 'numeric' } as const) : {}
  const year = count > (by === 'day' ? 365 : 12) ? ({ year: '2-digit' } as const) : {}
  const format = dateFormat(locale, { ...day, month: 'short', ...year, timeZone: 'UTC' })
  return ({ since }: Point) => format.format(new Date(since))
}

interface ColumnTableProps {
  figures: Figures
  currency: string
  before: Point[]
  /** The width of each month or day, in pixels. */
  column: number
}

function ColumnTable({ figures, currency, before, column }: ColumnTableProps) {
  const { t } = useTranslation()
  const all = [...before, ...figures.recurring.points]
  const money = useMoney(currency, haveCents(all, currency))
  const name = useStepName(figures.by, all.length)
  // A column has no room for more.
  const isLarge = money.monthlyUnits(figures.recurring.end) >= WITHOUT_CENTS
  const number = isLarge ? money.wholeMonthly : money.monthlyNumber
  const signedNumber = isLarge ? money.signedWholeMonthly : money.signedMonthlyNumber
  const { recurring, recurringBefore } = figures
  const isNow = (index: number) => (index >= before.length ? true : undefined)
  const row = (of: (point: Point) => number, write: (yearly: number) => string) =>
    all.map((point, index) => (
      <td key={point.since} data-now={isNow(index)}>
        {write(of(point))}
      </td>
    ))
  const compared = before.length > 0
  const sums = (now: number, then: number, write: (yearly: number) => string) => (
    <>
      <td className={classes.strong}>{write(now)}</td>
      <td>{compared ? <Gap now={now} then={then} /> : ''}</td>
    </>
  )
  return (
    <>
      <table className={classes.movements}>
        <colgroup>
          <col style={{ width: NAME_WIDTH }} />
          {all.map(({ since }) => (
            <col key={since} style={{ width: column }} />
          ))}
          <col style={{ width: SUM_WIDTH }} />
          <col style={{ width: SUM_WIDTH }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{t('figures.movement')}</VisuallyHidden>
            </th>
            {all.map((point, index) => (
              <th key={point.since} scope="col" data-now={isNow(index)}>
                {name(point)}
              </th>
            ))}
            <th scope="col">{t('figures.total')}</th>
            <th scope="col">{compared ? t('figures.gap') : ''}</th>
          </tr>
        </thead>
        <tbody>
          {movementKinds.map(({ kind, colour }) => (
            <tr key={kind}>
              <th scope="row">
                <i style={{ background: colour }} />
                {t(`figures.kind.${kind}`)}
              </th>
              {row((point) => point[kind], signedNumber)}
              {sums(recurring.total[kind], recurringBefore.total[kind], money.signedMonthly)}
            </tr>
          ))}
          <tr className={classes.strong}>
            <th scope="row">
              <i className={classes.mark} />
              {t('figures.balance')}
            </th>
            {row(balanceOf, signedNumber)}
            {sums(balanceOf(recurring.total), balanceOf(recurringBefore.total), money.signedMonthly)}
          </tr>
          <tr className={classes.strong}>
            <th scope="row">{t(`figures.end.${figures.by}`)}</th>
            {row(({ end }) => end, number)}
            {sums(recurring.end, recurringBefore.end, money.monthly)}
          </tr>
        </tbody>
      </table>
      {isLarge && <p className={classes.note}>{t('figures.rounded')}</p>}
    </>
  )
}

const haveCents = (points: Point[], currency: string): boolean =>
  points.some((point) =>
    [point.end, ...movementKinds.map(({ kind }) => point[kind])].some((sum) => hasCents(sum, currency)),
  )

/** How much more or less than before, as a share of it. */
function Gap({ now, then }: { now: number; then: number }) {
  const { locale } = useFormat()
  if (then === 0) return '—'
  const share = (now - then) / Math.abs(then)
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  })
  return format.format(then < 0 ? -share : share).replace('-', '−')
}

function RowTable({ points, currency, by }: { points: Recurring['points']; currency: string; by: Figures['by'] }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const money = useMoney(currency, haveCents(points, currency))
  const day = by === 'day' ? ({ day: 'numeric' } as const) : {}
  const format = dateFormat(locale, { ...day, month: 'long', year: 'numeric', timeZone: 'UTC' })
  return (
    <div className={classes.scroll}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`figures.step.${by}`)}</Table.Th>
            {movementKinds.map(({ kind }) => (
              <Table.Th key={kind} ta="right">
                {t(`figures.kind.${kind}`)}
              </Table.Th>
            ))}
            <Table.Th ta="right">{t(`figures.end.${by}`)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map((point) => (
            <Table.Tr key={point.since}>
              <Table.Td>{format.format(new Date(point.since))}</Table.Td>
              {movementKinds.map(({ kind }) => (
                <Table.Td key={kind} ta="right">
                  {money.signedMonthlyNumber(point[kind])}
                </Table.Td>
              ))}
              <Table.Td ta="right">{money.monthly(point.end)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
