import { ActionIcon } from '@mantine/core'
import type { FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import { holdMarks } from '../../i18n/french-spaces.ts'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import type { CalendarDay, readCalendar } from '../../server/sponsorship/calendar/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { isInTime } from '../../server/sponsorship/in-time.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconAlertTriangle, IconDots, IconPlus } from '../ui/icons.ts'
import { bookingPath } from './booking-path.ts'
import type { FreeSlot } from './new-booking-dialog.tsx'
import { freeSeats, isOpenDay } from './slots-state.ts'
import classes from './sponsorship.module.css'
import { limitsText, missingText, placementName, priceIn, slotKind, sumText } from './words.ts'

export type Calendar = z.infer<typeof readCalendar.reply>

interface Props {
  calendar: Calendar
  /** Null for who may only look. */
  book: ((slot: FreeSlot) => void) | null
  changeDay: ((day: string) => void) | null
}

/** A row for each placement and a column for each day. On a phone it is moved sideways, with the placements in sight. */
export function CalendarGrid({ calendar, book, changeDay }: Props) {
  const { t } = useTranslation()
  const { days, placements } = calendar
  if (days.length === 0) return <p className={classes.quiet}>{t('sponsorship.noDays')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways must be reachable by keyboard (axe scrollable-region-focusable).
    <section className={classes.scroll} aria-label={t('shell.titles.calendar')} tabIndex={0} onFocus={bringIntoSight}>
      <table className={classes.calendar} style={{ '--days': days.length }}>
        <thead>
          <tr>
            <td className={classes.corner} />
            {days.map((day) => (
              <DayHead key={day.day} day={day} change={changeDay} />
            ))}
          </tr>
        </thead>
        <tbody>
          {placements.map((placement) => (
            <tr key={placement.id}>
              <PlacementHead placement={placement} />
              {days.map((day) => (
                <Cell key={day.day} {...{ day, placement, calendar, book }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** As much as the ring of what has the focus is wide. */
const RING = 4
/** The shade at the end, behind which there is more. */
const SHADE = 16

/**
 * The placements stay in sight at the side. What a keyboard reaches below them moves out, and so does what it reaches of a day that is half in
 * sight, which browsers do not see to.
 */
function bringIntoSight({ currentTarget: grid, target }: FocusEvent): void {
  const side = target.closest('tr')?.firstElementChild
  if (!side || side.contains(target)) return
  const { left, right } = target.getBoundingClientRect()
  const before = left - side.getBoundingClientRect().right - RING
  const behind = right + SHADE - grid.getBoundingClientRect().right
  if (before < 0) grid.scrollLeft += before
  else if (behind > 0) grid.scrollLeft += Math.min(behind, before)
}

function DayHead({ day, change }: { day: CalendarDay; change: ((day: string) => void) | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const written = format.calendarDayOfYear(day.day)
  return (
    <th scope="col">
      <div className={classes.dayHead}>
        <b>{format.calendarDay(day.day)}</b>
        {change && (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('sponsorship.dayMenu', { day: written })}
            onClick={() => change(day.day)}
          >
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </div>
      {day.blocked && <small>{day.reason || t('sponsorship.legend.blocked')}</small>}
      {day.publications.map(({ id, title, number, published }) => (
        <small key={id}>
          <Link to={published ? `/publish/${id}` : `/publish/create/${id}`}>
            {number === null ? title : `${t('publications.number', { number })} ${title}`}
          </Link>
        </small>
      ))}
      {!day.blocked && day.publications.length === 0 && <small>{t('sponsorship.nothingYet')}</small>}
    </th>
  )
}

function PlacementHead({ placement }: { placement: Placement }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { currency } = useNewsletter()
  const price = priceIn(placement, currency)
  return (
    <th scope="row">
      <b>{placementName(placement, language)}</b>
      <small>{limitsText(t, placement)}</small>
      {price && <small>{sumText(price, language)}</small>}
    </th>
  )
}

interface CellProps {
  day: CalendarDay
  placement: Placement
  calendar: Calendar
  book: Props['book']
  /** The name of its column, where rows stand one below the other on a phone. */
  column?: string
}

/** A placement on a day: who has it, and what is free of it. */
export function Cell({ day, placement, calendar: { bookings, today }, book, column }: CellProps) {
  const { t } = useTranslation()
  const here = bookings.filter((one) => one.day === day.day && one.placementId === placement.id)
  const free = isOpenDay(day, today) ? freeSeats(placement, here) : 0
  return (
    <td data-blocked={(day.blocked && here.length === 0) || undefined} data-column={column}>
      {day.blocked && here.length === 0 && <span>{t('sponsorship.legend.blocked')}</span>}
      {here.map((booking) => (
        <Sold key={booking.id} {...{ booking, placement, today }} />
      ))}
      {free > 0 && <Free {...{ day, placement, book }} seats={free} isLate={!isInTime(day.day, placement, today)} />}
    </td>
  )
}

function Sold({ booking, placement, today }: { booking: Booking; placement: Placement; today: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  // What ran stays where it ran, whatever was given after it.
  const state = t(`sponsorship.state.${booking.state === 'made_good' ? 'ran' : booking.state}`)
  const missing = missingText(booking, today)
  const missingWords = missing && t(`sponsorship.textMissing.${missing}`)
  return (
    <Link
      to={bookingPath(booking.id)}
      className={classes.slot}
      data-kind={slotKind(booking)}
      aria-label={t('sponsorship.bookingOf', {
        sponsor: booking.sponsor,
        placement: placementName(placement, language),
        day: format.calendarDayOfYear(booking.day),
        state: missingWords ? `${state}, ${missingWords}` : state,
      })}
    >
      <b>{holdMarks(booking.sponsor)}</b> <small>{state}</small>
      {missing && (
        <small data-missing={missing}>
          <IconAlertTriangle size={13} stroke={1.6} /> {missingWords}
        </small>
      )}
    </Link>
  )
}

function Free({
  day,
  placement,
  book,
  seats,
  isLate,
}: Pick<CellProps, 'day' | 'placement' | 'book'> & {
  /** How many are free. */
  seats: number
  /** Sponsors can no longer ask for it. Owners still enter what they agreed on. */
  isLate: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useNewsletter()
  const price = priceIn(placement, currency)
  const named = { placement: placementName(placement, language), day: format.calendarDayOfYear(day.day) }
  const written = price && sumText(price, language)
  const sum = written && seats > 1 ? t('sponsorship.each', { price: written, count: seats }) : written
  const late = isLate ? t('sponsorship.tooLate') : null
  if (!book) return <span className={classes.quiet}>{late ?? t('sponsorship.legend.free')}</span>
  const name = sum ? t('sponsorship.bookAt', { ...named, price: sum }) : t('sponsorship.book', named)
  return (
    <button
      type="button"
      className={classes.slot}
      data-kind="free"
      aria-label={late ? `${name} (${late})` : name}
      onClick={() => book({ placement, day: day.day })}
    >
      <IconPlus size={13} stroke={1.6} /> {late ?? sum ?? t('sponsorship.legend.free')}
    </button>
  )
}
