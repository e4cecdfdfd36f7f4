import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usedCurrencies } from '../../server/charge/money.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconChevronLeft, IconChevronRight, IconPlus } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { type Calendar, CalendarGrid } from './calendar-grid.tsx'
import { DayDialog } from './day-dialog.tsx'
import { type FreeSlot, NewBookingDialog } from './new-booking-dialog.tsx'
import { calendarQuery } from './queries.ts'
import { seatsToSell } from './slots-state.ts'
import classes from './sponsorship.module.css'
import { priceIn, type Sum, slotKind, sumsByCurrency, sumText } from './words.ts'

const DAYS_SHOWN = 56
const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Publications by placements: what is sold, asked for, free and blocked. */
export function CalendarPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const [from, setFrom] = useState<string | null>(null)
  const [booking, book] = useState<FreeSlot | null>(null)
  const [day, changeDay] = useState<string | null>(null)
  // The days before stay until the next are there, and with them the button that was pressed.
  const query = useQuery({ ...calendarQuery(id, from === null ? {} : { from }), placeholderData: keepPreviousData })
  const isEmpty = query.data?.placements.length === 0
  const mayWrite = may('sponsorship.write')
  return (
    <>
      <PageTitle title={t('shell.titles.calendar')} lead={t('sponsorship.calendarLead')}>
        {query.data && !isEmpty && <Sums calendar={query.data} />}
      </PageTitle>
      <QueryContent query={query}>
        {(calendar) =>
          isEmpty ? (
            <EmptyState
              title={t('sponsorship.none')}
              action={
                <Button component={Link} to={studioPaths.placements} leftSection={<IconPlus size={15} stroke={1.6} />}>
                  {t('shell.titles.placements')}
                </Button>
              }
            >
              {mayWrite && t('sponsorship.noneText')}
            </EmptyState>
          ) : (
            <>
              <Bar calendar={calendar} go={setFrom} addDay={mayWrite ? () => changeDay('') : null} />
              <CalendarGrid calendar={calendar} book={mayWrite ? book : null} changeDay={mayWrite ? changeDay : null} />
            </>
          )
        }
      </QueryContent>
      {booking && <NewBookingDialog slot={booking} onClose={() => book(null)} />}
      {day !== null && query.data && <DayDialog day={day} calendar={query.data} onClose={() => changeDay(null)} />}
    </>
  )
}

interface BarProps {
  calendar: Calendar
  go: (from: string | null) => void
  addDay: (() => void) | null
}

function Bar({ calendar: { from, to, days }, go, addDay }: BarProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const hasBlocked = days.some(({ blocked }) => blocked)
  return (
    <div className={classes.bar}>
      <Button.Group>
        <Button aria-label={t('sponsorship.earlier')} px={10} onClick={() => go(daysLater(from, -DAYS_SHOWN))}>
          <IconChevronLeft size={16} stroke={1.6} />
        </Button>
        <Button onClick={() => go(null)}>{t('sponsorship.today')}</Button>
        <Button aria-label={t('sponsorship.later')} px={10} onClick={() => go(daysLater(from, DAYS_SHOWN))}>
          <IconChevronRight size={16} stroke={1.6} />
        </Button>
      </Button.Group>
      <b aria-live="polite">
        {t('sponsorship.range', { from: format.calendarDayOfYear(from), to: format.calendarDayOfYear(to) })}
      </b>
      <ul className={classes.legend}>
        {(['sold', 'accepted', 'requested', 'free', ...(hasBlocked ? (['blocked'] as const) : [])] as const).map(
          (kind) => (
            <li key={kind}>
              <i data-kind={kind} />
              {t(`sponsorship.legend.${kind}`)}
            </li>
          ),
        )}
      </ul>
      {addDay && (
        <Button size="xs" onClick={addDay}>
          {t('sponsorship.addDay')}
        </Button>
      )}
    </div>
  )
}

/** What the days on screen bring, in each currency that slots are sold in. */
function Sums({ calendar }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { currency: own } = useNewsletter()
  const { bookings, placements, days, today } = calendar
  const [currency = own] = usedCurrencies(
    own,
    placements.flatMap(({ prices }) => Object.keys(prices)),
  )
  const open = days.flatMap((day) => {
    const here = bookings.filter((one) => one.day === day.day)
    return placements.map((placement) => {
      const price = priceIn(placement, currency)
      const seats = seatsToSell({ placement, day, here, today })
      return { currency: price?.currency ?? currency, amount: (price?.amount ?? 0) * seats }
    })
  })
  const of = (kind: ReturnType<typeof slotKind>) => bookings.filter((booking) => slotKind(booking) === kind)
  const parts = {
    // As where money is shown by months: what got another day before it ran counts on that one.
    booked: of('sold').map(({ currency, soldFor }) => ({ currency, amount: soldFor })),
    accepted: of('accepted'),
    requested: of('requested'),
    stillOpen: open,
  }
  const inEach = (sums: Sum[]): string =>
    sumsByCurrency(sums, currency)
      .map((sum) => sumText(sum, language))
      .join(' + ')
  return (
    <dl className={classes.sums}>
      {(['booked', 'accepted', 'requested', 'stillOpen'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`sponsorship.${name}`)}</dt>
          <dd>{inEach(parts[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
