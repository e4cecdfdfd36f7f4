import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { readAdvertiseResults } from '../../server/campaigns/advertise/contract.ts'
import { digitsOf } from '../../server/charge/money.ts'
import { HEIGHT, SignedBars } from '../charge/figures/signed-bars.tsx'
import { useMoney } from '../charge/figures/use-money.ts'
import { useFormat } from '../format.ts'
import classes from './advertise.module.css'

type Month = NonNullable<z.output<typeof readAdvertiseResults.reply>['revenue']>[number]

const kinds = [
  { kind: 'paid', colour: 'var(--tirage-v3)' },
  { kind: 'givenBack', colour: 'var(--tirage-v4)' },
] as const
const AXIS = 70

/** A chart for each currency. */
export function RevenueCharts({ months }: { months: Month[] }) {
  const currencies = [...new Set(months.map(({ currency }) => currency))]
  return (
    <>
      <Legend />
      {currencies.map((currency) => (
        <RevenueChart
          key={currency}
          currency={currency}
          months={months.filter((month) => month.currency === currency)}
        />
      ))}
    </>
  )
}

function Legend() {
  const { t } = useTranslation()
  return (
    <p className={classes.legend}>
      {kinds.map(({ kind, colour }) => (
        <span key={kind}>
          <i style={{ background: colour }} />
          {t(`advertise.money.${kind}`)}
        </span>
      ))}
      <span>
        <i className={classes.mark} />
        {t('advertise.money.booked')}
      </span>
    </p>
  )
}

/** What came and went back in each month as columns, and a mark where the bookings of its days stand; the same as a table. */
function RevenueChart({ currency, months }: { currency: string; months: Month[] }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const money = useMoney(currency)
  const { ref, width } = useElementSize()
  const units = (amount: number) => amount / 10 ** digitsOf(currency)
  const name = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const write = months.some(({ givenBack }) => givenBack > 0) ? money.signedOfUnits : money.ofUnits
  const step = Math.min(140, ((width || 690) - AXIS) / months.length)
  const bars = months.map(({ month, booked, paid, givenBack }) => ({
    key: month,
    pieces: kinds.map(({ kind, colour }) => ({
      ...{ key: kind, colour },
      value: kind === 'paid' ? units(paid) : -units(givenBack),
    })),
    mark: units(booked),
  }))
  return (
    <div ref={ref} className={classes.revenue}>
      <svg width={months.length * step + AXIS} height={HEIGHT + 24} aria-hidden="true" className={classes.chart}>
        <SignedBars bars={bars} left={0} step={step} write={write} />
        {months.map(({ month }, index) => (
          <text key={month} x={(index + 0.5) * step} y={HEIGHT + 18} textAnchor="middle">
            {step > 64 || index % 2 === 0 ? name.format(new Date(month)) : ''}
          </text>
        ))}
      </svg>
      <details>
        <summary>{t('figures.asTable')}</summary>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('advertise.money.month')}</th>
              <th scope="col">{t('advertise.money.booked')}</th>
              <th scope="col">{t('advertise.money.paid')}</th>
              <th scope="col">{t('advertise.money.givenBack')}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, booked, paid, givenBack }) => (
              <tr key={month}>
                <th scope="row">{name.format(new Date(month))}</th>
                <td>{money.sum(booked)}</td>
                <td>{money.sum(paid)}</td>
                <td>{money.sum(givenBack)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
