import { holdMarks } from '../../../i18n/french-spaces.ts'
import { type Currency, writtenSum } from '../../charge/money.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage } from '../../newsletters/branded-page.tsx'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { scriptAddress } from '../../page/scripts.ts'
import { type Translate, translator } from '../../translator.ts'
import { type Booking, isUnseen, type ShownState } from '../bookings/contract.ts'
import { isMissed, owedFor } from '../bookings/state.ts'
import type { Placement } from '../contract.ts'
import { dayAt } from '../days.ts'
import type { BookingPayments } from '../payment/payment.ts'
import { CreativeForm, valuesOf } from './creative-form.page.tsx'
import type { CreativeProblems } from './creative-form.ts'
import { CreativePreview } from './creative-preview.tsx'
import { sponsorStyle } from './sponsor.page.tsx'
import { dueOf, placementNameIn, writtenDay, writtenMoment, writtenShortDay } from './words.ts'

/** What the page says after something was done. */
export const notices = ['sent', 'withdrawn', 'moved', 'paying', 'not_paid', 'invoice'] as const
export type Notice = (typeof notices)[number]

/** What is wrong with a form that was sent. `limit`: there were too many. */
export type Problems = CreativeProblems & { limit?: true }

/** How it is paid, and whether it can be now. */
interface ShownPayment {
  means: BookingPayments['means']
  payable: boolean
  /** No money moved, or would. */
  inTest: boolean
}

interface Props {
  newsletter: NewsletterRow
  language: Language
  booking: Booking
  placement: Placement
  /** What a member said with the last act, and before it how to pay, while nothing is paid. */
  said: string[]
  /** The invoice that is still to pay, of this booking or of the one whose place it takes. */
  unpaid: { amount: number; currency: Currency } | null
  /** What is here of the money that was paid for it, in the minor unit of its currency. */
  paidHere: number
  /** Of one that takes the place of another: what is here of the money that was paid for that one. */
  paidFor: { amount: number; currency: Currency } | null
  /** The day on which the text ran, here or on another day that was given for it. */
  ranOn: string | null
  /** Of one that takes the place of another: that day, while its price was not given back. */
  ranBefore: string | null
  /** Whether its day was given up when its money went back. */
  isUnrun: boolean
  /** Of one that was given another day: the last of those that it was given. */
  otherDay: { day: string; stands: boolean } | null
  /** Whether it was agreed by hand: its sponsor never asked for it here. */
  isAgreed: boolean
  /** By the newsletter's calendar. */
  today: string
  /** When each of these was done the last time. */
  done: { accepted: string | null; sent: string | null; approved: string | null }
  payment: ShownPayment
  /** The id of an image that waits for words that are right. */
  held: string | null
  /** The address of the report, once it ran. */
  reportHref: string | null
  notice?: Notice | null
  typed?: Readonly<Record<string, string>>
  problems?: Problems | undefined
}

/** The way of a booking that goes well. What stops it is said in words. */
const way = ['requested', 'accepted', 'paid', 'replacement', 'creative_in', 'approved', 'ran'] as const
type WayStep = (typeof way)[number]

/** Of that way what a booking has: a day that takes the place of another was neither asked for nor is it paid. */
const wayOf = ({ booking, isAgreed }: Pick<Props, 'booking' | 'isAgreed'>): readonly WayStep[] => {
  const left: readonly WayStep[] = booking.makesGood
    ? ['requested', 'accepted', 'paid']
    : isAgreed
      ? ['requested', 'replacement']
      : ['replacement']
  return way.filter((step) => !left.includes(step))
}

/** Where a state stands on that way. */
const placeOf: Partial<Record<ShownState, WayStep>> = {
  requested: 'requested',
  accepted: 'accepted',
  invoiced: 'paid',
  paid: 'paid',
  replacement: 'replacement',
  changes_asked: 'creative_in',
  creative_in: 'creative_in',
  approved: 'approved',
  scheduled: 'approved',
  ran: 'ran',
  reported: 'ran',
}

/** A sponsor's own page: where the booking stands, what they say, and the way out. Whoever has its address acts for the sponsor. */
export function bookingPage(props: Props): RenderedPage {
  const { newsletter, language, booking, placement, payment, said, notice, reportHref } = props
  const t = translator(language)
  // The notice says that the money comes. To ask for it again beside that would make somebody pay twice.
  const isOnItsWay = notice === 'paying' && noticeOf(notice, booking) === 'paying'
  const title = t('sponsors.own.title', { sponsor: booking.sponsor, newsletter: newsletter.name })
  return renderPage(
    {
      ...{ ...brandedPage(newsletter, language), dataHref: null, css: sponsorStyle, title, noIndex: true },
      script: booking.acts.includes('send_creative') ? scriptAddress('sponsor-words') : null,
      band: payment.inTest ? t('readers.testBand') : null,
      // What was typed would be lost.
      hrefIn: props.typed ? null : (one) => `?lang=${one}`,
    },
    <main className="sponsor-page" id="main">
      {props.problems?.limit ? (
        <p className="note note-problem" role="alert">
          {t('sponsors.own.limit')}
        </p>
      ) : null}
      {notice ? (
        <p className="note" role="status">
          {t(`sponsors.own.notice.${noticeOf(notice, booking)}`)}
        </p>
      ) : null}
      <h1 className="title">{title}</h1>
      <p className="lead">
        {t('sponsors.own.what', {
          placement: placementNameIn(placement, language),
          day: writtenDay(booking.day, language),
          sum: booking.makesGood
            ? t('sponsors.own.nothingMore')
            : writtenSum(booking.amount, booking.currency, language),
        })}
      </p>
      <Steps {...props} t={t} />
      {isOnItsWay ? null : <StateWords {...props} t={t} />}
      {reportHref ? (
        <p>
          <a href={reportHref}>{t('sponsors.own.report')}</a>
        </p>
      ) : null}
      {said.map((words) => (
        <p key={words} className="sponsor-said">
          {holdMarks(words)}
        </p>
      ))}
      <Facts {...props} t={t} />
      {payment.payable && payment.means === 'card' && !isOnItsWay ? <Pay {...props} t={t} /> : null}
      <Creative {...props} t={t} />
      {canWithdraw(booking) ? <Withdraw t={t} /> : null}
    </main>,
  )
}

/** A sponsor leaves by themselves while nothing is paid or invoiced; after that they write to the newsletter. */
export const canWithdraw = ({ acts }: Pick<Booking, 'acts'>): boolean => acts.includes('withdraw')

/** Who comes back from Stripe may be quicker than what Stripe says. */
const noticeOf = (notice: NonNullable<Props['notice']>, { paidAt, owed, state }: Booking) =>
  notice === 'paying' && owed && owedFor(state) === 'owed' ? 'owed' : notice === 'paying' && paidAt ? 'paid' : notice

/**
 * Whether what was said after an act still holds. It is in the address, and sponsors are told to keep the address of their page.
 */
export function isStillTrue(notice: Notice, { state, owed }: Pick<Booking, 'state' | 'owed'>): boolean {
  if (notice === 'sent') return state === 'creative_in'
  if (notice === 'withdrawn') return state === 'cancelled'
  if (notice === 'moved') return true
  return owed || ['accepted', 'expired', 'invoiced', 'paid', 'replacement'].includes(state)
}

/** What is said of where it stands. What is to do now comes before it. */
function stateOf(props: Props) {
  const { booking, unpaid, isUnrun, paidHere, paidFor, ranBefore, otherDay } = props
  const { means, payable } = props.payment
  const { state, owed, paidAt, givenBack } = booking
  if (owed) return owedFor(state)
  const isOtherOff = state === 'made_good' && otherDay?.stands === false
  if (isOtherOff && booking.ranAt) return unpaid ? 'other_cancelled_ran_unpaid' : 'other_cancelled_ran'
  if (isOtherOff && ranBefore) return unpaid ? 'other_cancelled_ran_before_unpaid' : 'other_cancelled_ran_before'
  if (isOtherOff) return paidHere > 0 || paidFor ? 'other_cancelled_paid' : 'other_cancelled'
  if (state === 'cancelled' && paidFor) return 'replacement_cancelled'
  if (state === 'cancelled' && ranBefore)
    return unpaid ? 'replacement_cancelled_ran_unpaid' : 'replacement_cancelled_ran'
  if (isUnrun) return 'refunded_unrun'
  if (unpaid && (state === 'made_good' || state === 'replacement')) return `${state}_unpaid` as const
  if (state === 'cancelled' && paidAt) return givenBack > 0 ? 'cancelled_part' : 'cancelled_paid'
  const pays = payable && means === 'card'
  if (pays && state === 'accepted') return 'accepted_card'
  return pays && state === 'expired' ? 'expired_card' : state
}

type Part = Props & { t: Translate }

function Steps({ newsletter, language, booking, today, done, isAgreed, t }: Part) {
  const at = placeOf[booking.state]
  if (!at) return null
  const steps = wayOf({ booking, isAgreed })
  const short = (day: string) => writtenShortDay(day, language)
  const dayOf = (moment: string) => short(dayAt(newsletter, new Date(moment)))
  const place = steps.indexOf(at)
  const doneOn = (step: WayStep, moment: string | null) =>
    moment && steps.indexOf(step) <= place ? dayOf(moment) : null
  const paid = booking.paidAt ?? booking.invoicedAt
  const due = dueOf(booking, today)
  const dates: Partial<Record<WayStep, string | null>> = {
    requested: dayOf(booking.requestedAt),
    replacement: dayOf(booking.requestedAt),
    accepted: doneOn('accepted', done.accepted),
    paid: paid && dayOf(paid),
    creative_in: !isDue(booking)
      ? doneOn('creative_in', done.sent)
      : due === 'over' || (due === 'now' && booking.state === 'requested')
        ? null
        : t(`sponsors.own.textDue.${due}`, { due: short(booking.creativeDue) }),
    approved: doneOn('approved', done.approved),
    ran: short(booking.day),
  }
  const missed = isMissed(booking, today)
  // Before a step is done its name promises nothing that has not happened. The text is the sponsor's at any time.
  const named = (step: WayStep, index: number) => {
    if (step === 'ran' && missed) return t('sponsors.own.notRun')
    const isAhead = index > place && step !== 'creative_in' && step !== 'requested' && step !== 'replacement'
    return t(isAhead ? `sponsors.own.ahead.${step}` : `sponsors.own.way.${step}`)
  }
  return (
    <ol className="sponsor-steps">
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < place ? 'sponsor-done' : undefined}
          aria-current={step === at ? 'step' : undefined}
        >
          <b>{named(step, index)}</b>
          {dates[step] ? <span className="sponsor-when">{dates[step]}</span> : null}
        </li>
      ))}
    </ol>
  )
}

function StateWords(props: Part) {
  const { booking, language, today, unpaid, paidFor, paidHere, ranBefore, otherDay, t } = props
  if (isMissed(booking, today) && !booking.owed) return <p>{t('sponsors.own.missed')}</p>
  const days = { due: writtenDay(booking.creativeDue, language), day: writtenDay(booking.day, language) }
  const values = {
    due: t(`sponsors.due.${dueOf(booking, today)}`, days),
    day: days.day,
    sum: paidFor
      ? writtenSum(paidFor.amount, paidFor.currency, language)
      : writtenSum(paidHere, booking.currency, language),
    whole: writtenSum(booking.amount, booking.currency, language),
    other: otherDay ? writtenDay(otherDay.day, language) : '',
    ran: ranBefore ? writtenDay(ranBefore, language) : '',
    sold: unpaid ? writtenSum(unpaid.amount, unpaid.currency, language) : '',
  }
  return <p>{t(`sponsors.own.state.${stateOf(props)}`, values)}</p>
}

/** Whether a text is still awaited, or will be. */
function isDue({ state }: Pick<Booking, 'state'>): boolean {
  if (state === 'creative_in') return false
  const at = placeOf[state]
  return at !== undefined && way.indexOf(at) < way.indexOf('approved')
}

const isPartlyBack = ({ givenBack, refundedAt }: Booking): boolean => givenBack > 0 && refundedAt === null

/** What the steps do not say, and for a booking without steps what came to be before it ended. */
function Facts({ newsletter, language, booking, t }: Part) {
  const ended = placeOf[booking.state] === undefined
  const date = (at: string) => writtenMoment(at, newsletter, language)
  const written = (amount: number) => writtenSum(amount, booking.currency, language)
  const sums = { sum: written(booking.givenBack), whole: written(booking.amount) }
  const rows: [string, string | null][] = [
    [t('sponsors.own.heldUntil'), booking.heldUntil && date(booking.heldUntil)],
    [t('sponsors.own.invoiced'), ended && booking.invoicedAt ? date(booking.invoicedAt) : null],
    [t('sponsors.own.paid'), ended && booking.paidAt ? date(booking.paidAt) : null],
    [t('sponsors.own.refunded'), booking.refundedAt && date(booking.refundedAt)],
    [t('sponsors.own.refundedPart'), isPartlyBack(booking) ? t('sponsors.own.refundedOf', sums) : null],
  ]
  const shown = rows.filter(([, value]) => value !== null)
  if (shown.length === 0) return null
  return (
    <dl className="sponsor-facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Pay({ booking, language, t }: Part) {
  const sum = writtenSum(booking.amount, booking.currency, language)
  return (
    <>
      <h2>{t('sponsors.own.pay.title')}</h2>
      <p className="small">{t('sponsors.own.pay.text')}</p>
      <form method="post">
        <input type="hidden" name="act" value="pay" />
        <p>
          <button type="submit" className="button full-width-on-phones">
            {t('sponsors.own.pay.button', { sum })}
          </button>
        </p>
      </form>
    </>
  )
}

/** What a sponsor says, with a form where it can be changed. Beside it, or below it on a phone, is what readers will see. */
function Creative(props: Part) {
  const { newsletter, language, booking, ranOn, today, placement, held, typed, problems, t } = props
  const { creative, acts } = booking
  const isOpen = acts.includes('send_creative')
  if (!isOpen && !creative) return null
  const isHeld = held !== null
  const says = valuesOf({ booking, typed, isHeld })
  const image = isOpen && held ? { mediaId: held, alt: says.alt } : (creative?.image ?? null)
  return (
    <>
      <h2>{t('sponsors.own.creative')}</h2>
      {isOpen ? (
        <p className="small">
          {booking.state === 'creative_in' ? null : `${t('sponsors.own.creativeText')} `}
          {t('sponsors.own.keepAddress')}
        </p>
      ) : null}
      <div className="sponsor-columns">
        {isOpen ? (
          <CreativeForm
            {...{ booking, language, image, typed, problems: fieldProblems(problems), t }}
            isHeld={isHeld}
          />
        ) : null}
        <CreativePreview
          {...{ placement, says, image, t, isLive: isOpen }}
          language={booking.publication?.language ?? newsletter.language}
          isUnseen={isUnseen(booking, today) && !ranOn}
        />
      </div>
    </>
  )
}

const fieldProblems = ({ limit: _limit, ...problems }: Problems = {}): CreativeProblems => problems

function Withdraw({ t }: { t: Translate }) {
  return (
    <>
      <h2>{t('sponsors.own.withdraw')}</h2>
      <p className="small">{t('sponsors.own.withdrawText')}</p>
      <form method="post">
        <input type="hidden" name="act" value="withdraw" />
        <p>
          <button type="submit" className="button button-outline full-width-on-phones">
            {t('sponsors.own.withdraw')}
          </button>
        </p>
      </form>
    </>
  )
}
