import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { languageLabel } from '../../server/languages.ts'
import { moneyNotes } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { LeaveGuard } from '../ui/unsaved.tsx'
import { BookingActs, RanElsewhere } from './booking-acts.tsx'
import { bookingPath } from './booking-path.ts'
import { CardSection } from './card-section.tsx'
import { CreativeSection } from './creative-section.tsx'
import { LinkSection } from './link-section.tsx'
import { PublicationOfDay } from './publication-of-day.tsx'
import { bookingQuery, placementsQuery, type ShownBooking } from './queries.ts'
import { ReportSection } from './report-section.tsx'
import classes from './sponsorship.module.css'
import { lostItsOtherDay, ranWithoutOther } from './use-next-words.ts'
import { bookingShape, placementName, sumText } from './words.ts'

/** One booking: what was bought, where it stands, what can be done next, and what happened. */
export function BookingPage() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { bookingId = '' } = useParams()
  const booking = useQuery(bookingQuery(id, bookingId))
  const placements = useQuery(placementsQuery(id))
  return (
    <QueryContent query={booking} list={{ to: studioPaths.calendar, label: t('shell.titles.calendar') }}>
      {(found) => (
        <QueryContent query={placements}>
          {({ placements: all, settings }) => (
            <Content
              booking={found}
              placement={all.find(({ id: one }) => one === found.placementId)}
              hideFromPaid={settings.hideFromPaid}
            />
          )}
        </QueryContent>
      )}
    </QueryContent>
  )
}

interface ContentProps {
  booking: ShownBooking
  placement: Placement | undefined
  hideFromPaid: boolean
}

function Content({ booking, placement, hideFromPaid }: ContentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { may } = useNewsletter()
  const [hasTyped, setTyped] = useState(false)
  const title = t('sponsorship.bookingTitle', {
    sponsor: booking.sponsor,
    // At a usual hyphen the title may break on a phone, within the word.
    placement: placement ? placementName(placement, language).replaceAll('-', '\u2011') : '—',
    day: format.calendarDay(booking.day),
  })
  return (
    <>
      <PageTitle
        isName
        title={title}
        lead={
          <StatusMark shape={bookingShape[lostItsOtherDay(booking) ? 'cancelled' : booking.state]}>
            {booking.state === 'made_good' && booking.madeGoodBy
              ? t(
                  `sponsorship.otherDayGiven.${lostItsOtherDay(booking) ? 'off' : ranWithoutOther(booking) ? 'ran' : 'on'}`,
                  {
                    day: format.calendarDay(booking.madeGoodBy.day),
                  },
                )
              : t(`sponsorship.state.${booking.state}`)}
          </StatusMark>
        }
      />
      <LeaveGuard />
      <div className={classes.columns}>
        <div>
          <BookingActs booking={booking} placement={placement} hasUnsavedCreative={hasTyped} />
          {placement && <PublicationOfDay booking={booking} placement={placement} hideFromPaid={hideFromPaid} />}
          <RanElsewhere booking={booking} />
          <CardSection booking={booking} />
          {booking.ranAt && <ReportSection bookingId={booking.id} />}
          {booking.message && (
            <Section title={t('sponsorship.message')}>
              <p className={`${classes.quiet} ${classes.lines}`}>{booking.message}</p>
            </Section>
          )}
          {placement && <CreativeSection booking={booking} placement={placement} onTyped={setTyped} />}
        </div>
        <div>
          <Facts booking={booking} />
          {may('sponsorship.write') && (
            <LinkSection key={booking.linkVersion} bookingId={booking.id} of="link" isMailed={booking.email !== null} />
          )}
          {may('sponsorship.write') && booking.ranAt && (
            <LinkSection
              key={`report ${booking.reportVersion}`}
              bookingId={booking.id}
              of="reportLink"
              isMailed={booking.email !== null}
            />
          )}
          <Steps booking={booking} />
        </div>
      </div>
    </>
  )
}

function Facts({ booking }: { booking: ShownBooking }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { publication } = booking
  const isOff = booking.state === 'declined' || booking.state === 'cancelled' || lostItsOtherDay(booking)
  const rows: [string, ReactNode][] = [
    [t('sponsorship.day'), format.calendarFullDay(booking.day)],
    [
      t('sponsorship.inPublication'),
      publication && (
        <Link to={booking.state === 'scheduled' ? `/publish/create/${publication.id}` : `/publish/${publication.id}`}>
          {shownTitle(publication.title, t)}
        </Link>
      ),
    ],
    [
      t('sponsorship.amount'),
      booking.makesGood && booking.insteadOf ? (
        <Link key="amount" to={bookingPath(booking.makesGood)}>
          {t('sponsorship.forNothing', { day: format.calendarDay(booking.insteadOf) })}
        </Link>
      ) : (
        sumText(booking, language)
      ),
    ],
    [
      t('sponsorship.unpaidFor'),
      booking.unpaidFor && (
        <Link key="unpaid for" to={bookingPath(booking.unpaidFor.id)}>
          {t('sponsorship.unpaidSum', { sum: sumText(booking.unpaidFor, language) })}
        </Link>
      ),
    ],
    [
      t('sponsorship.otherDay'),
      booking.madeGoodBy && (
        <Link key="other day" to={bookingPath(booking.madeGoodBy.id)}>
          {format.calendarFullDay(booking.madeGoodBy.day)}
        </Link>
      ),
    ],
    [t('sponsorship.contact'), booking.contact || null],
    [t('sponsorship.email'), booking.email && <a href={`mailto:${booking.email}`}>{booking.email}</a>],
    [t('sponsorship.mailsIn'), booking.email && languageLabel(booking.language, language)],
    [
      t('sponsorship.creativeDue'),
      !isOff && !['refunded', 'made_good'].includes(booking.state) && format.calendarDayOfYear(booking.creativeDue),
    ],
    [t('sponsorship.heldUntil'), booking.heldUntil && format.momentOfYear(booking.heldUntil)],
    [t('sponsorship.invoicedOn'), booking.invoicedAt && format.dayOfYear(booking.invoicedAt)],
    [
      t('sponsorship.paidOn'),
      booking.paidAt
        ? format.dayOfYear(booking.paidAt)
        : booking.makesGood || booking.owed || isOff
          ? null
          : t('sponsorship.notPaid'),
    ],
    [t('sponsorship.refundedOn'), booking.refundedAt && format.dayOfYear(booking.refundedAt)],
    [
      t('sponsorship.refundedPart'),
      booking.givenBack > 0 && !booking.refundedAt
        ? t('sponsorship.refundedOf', {
            sum: sumText({ ...booking, amount: booking.givenBack }, language),
            whole: sumText(booking, language),
          })
        : null,
    ],
    [t('sponsorship.note'), booking.note || null],
  ]
  return (
    <Section title={t('sponsorship.what')}>
      <dl className={classes.facts}>
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={classes.lines}>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </Section>
  )
}

/** What is said of the acts that came with a day which was given in place of another. */
const withDay: Partial<Record<string, 'make_good' | 'text_kept'>> = { enter: 'make_good', send_creative: 'text_kept' }

function Steps({ booking: { steps, currency, makesGood } }: { booking: ShownBooking }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const happened = ({ at, act, state, amount }: ShownBooking['steps'][number]) => {
    const cameWithDay = makesGood !== null && at === steps[0]?.at
    // The state that follows says what is to be done, and not what was.
    const named =
      (cameWithDay && withDay[act]) ||
      ([...moneyNotes, 'send_creative', 'other_day_cancelled'] as const).find((one) => one === act)
    // What is paid late leaves the booking in its state.
    const reached = act === 'pay' ? 'paid' : state
    const step = named ? t(`sponsorship.happened.${named}`) : t(`sponsorship.state.${reached}`)
    return amount === null ? step : t('sponsorship.stepSum', { step, sum: sumText({ amount, currency }, language) })
  }
  const whose = ({ act, by, actor }: ShownBooking['steps'][number]) => {
    if (!by) return t(`sponsorship.by.${actor}`)
    // The sponsor pays, and a letter runs: a member notes both.
    return t(act === 'pay' || act === 'run' ? 'sponsorship.notedBy' : 'sponsorship.byName', { name: by })
  }
  return (
    <Section title={t('sponsorship.steps')}>
      <ol className={classes.list}>
        {steps.map((step) => (
          <li key={`${step.at} ${step.act} ${step.state}`}>
            <span>
              {happened(step)} <small>· {whose(step)}</small>
            </span>
            <small>{format.momentOfYear(step.at)}</small>
            {step.words && <p className={`${classes.quiet} ${classes.lines}`}>{holdMarks(step.words)}</p>}
          </li>
        ))}
      </ol>
    </Section>
  )
}
