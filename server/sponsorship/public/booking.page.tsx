import { writtenSum } from '../../charge/money.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { type Language, locales } from '../../languages.ts'
import { brandedPage } from '../../newsletters/branded-page.tsx'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { type Translate, translator } from '../../translator.ts'
import type { Booking, BookingState } from '../bookings/contract.ts'
import type { Placement } from '../contract.ts'
import { sponsorStyle } from './sponsor.page.tsx'
import { TextField } from './text-field.tsx'
import { placementNameIn, writtenDay } from './words.ts'

export const creativeFields = ['name', 'text', 'label', 'target'] as const
type CreativeField = (typeof creativeFields)[number]

interface Props {
  newsletter: NewsletterRow
  language: Language
  booking: Booking
  placement: Placement
  /** What a member said with the last act. */
  said: string
  notice?: 'sent' | 'withdrawn' | 'moved' | null
  typed?: Readonly<Record<string, string>>
  problems?: readonly CreativeField[]
}

/** The way of a booking that goes well. What stops it is said in words. */
const way = ['requested', 'accepted', 'paid', 'creative_in', 'approved', 'ran'] as const

/** Where a state stands on that way. */
const placeOf: Partial<Record<BookingState, (typeof way)[number]>> = {
  requested: 'requested',
  accepted: 'accepted',
  invoiced: 'paid',
  paid: 'paid',
  changes_asked: 'creative_in',
  creative_in: 'creative_in',
  approved: 'approved',
  ran: 'ran',
  reported: 'ran',
}

/** A sponsor's own page: where the booking stands, what they say, and the way out. Whoever has its address acts for the sponsor. */
export function bookingPage(props: Props): RenderedPage {
  const { newsletter, language, booking, placement, said, notice } = props
  const t = translator(language)
  const title = t('sponsors.own.title', { sponsor: booking.sponsor, newsletter: newsletter.name })
  return renderPage(
    { ...brandedPage(newsletter, language), dataHref: null, css: sponsorStyle, title, noIndex: true },
    <main className="sponsor-page" id="main">
      {notice ? (
        <p className="note" role="status">
          {t(`sponsors.own.notice.${notice}`)}
        </p>
      ) : null}
      <h1 className="title">{title}</h1>
      <p className="lead">
        {t('sponsors.own.what', {
          placement: placementNameIn(placement, language),
          day: writtenDay(booking.day, language),
          sum: writtenSum(booking.amount, booking.currency, language),
        })}
      </p>
      <Steps state={booking.state} t={t} />
      <p>{t(`sponsors.own.state.${booking.state}`, { due: writtenDay(booking.creativeDue, language) })}</p>
      {said ? <p className="sponsor-said">{said}</p> : null}
      <Facts {...props} t={t} />
      {booking.acts.includes('send_creative') ? <CreativeForm {...props} t={t} /> : <Said booking={booking} t={t} />}
      {canWithdraw(booking) ? <Withdraw t={t} /> : null}
    </main>,
  )
}

/** A sponsor leaves by themselves while nothing is paid or invoiced; after that they write to the newsletter. */
export const canWithdraw = ({ state }: Pick<Booking, 'state'>): boolean =>
  state === 'requested' || state === 'accepted' || state === 'expired'

type Part = Props & { t: Translate }

function Steps({ state, t }: { state: BookingState; t: Translate }) {
  const at = placeOf[state]
  if (!at) return null
  return (
    <ol className="sponsor-steps">
      {way.map((step) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {t(`sponsors.own.way.${step}`)}
        </li>
      ))}
    </ol>
  )
}

function Facts({ newsletter, language, booking, t }: Part) {
  const date = (at: string) =>
    new Intl.DateTimeFormat(locales[language], {
      ...{ dateStyle: 'long', timeStyle: 'short', timeZone: newsletter.timezone },
    }).format(new Date(at))
  const rows: [string, string | null][] = [
    [t('sponsors.own.heldUntil'), booking.heldUntil && date(booking.heldUntil)],
    [t('sponsors.own.creativeDue'), writtenDay(booking.creativeDue, language)],
    [t('sponsors.own.invoiced'), booking.invoicedAt && date(booking.invoicedAt)],
    [t('sponsors.own.paid'), booking.paidAt && date(booking.paidAt)],
    [t('sponsors.own.refunded'), booking.refundedAt && date(booking.refundedAt)],
  ]
  return (
    <dl className="sponsor-facts">
      {rows.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function Said({ booking: { creative }, t }: { booking: Booking; t: Translate }) {
  if (!creative) return null
  return (
    <>
      <h2>{t('sponsors.own.creative')}</h2>
      <p className="sponsor-said">
        <b>{creative.name}</b> {creative.text}
        {'\n'}
        {creative.label}: {creative.target}
      </p>
    </>
  )
}

function CreativeForm({ booking, placement, typed, problems = [], t }: Part) {
  const values = { name: booking.sponsor.slice(0, 40), text: '', label: '', target: '', ...booking.creative, ...typed }
  const said = (name: CreativeField) =>
    problems.includes(name) ? (
      <p className="field-problem" id={`${name}-problem`} role="alert">
        {t(`sponsors.own.problem.${name}`, { count: placement.maxWords })}
      </p>
    ) : null
  const field = (name: CreativeField, most: number) => ({
    ...{ name, most, label: t(`sponsors.own.field.${name}`), typed: values[name], problem: said(name), required: true },
  })
  return (
    <>
      <h2>{t('sponsors.own.creative')}</h2>
      <p className="small">{t('sponsors.own.creativeText')}</p>
      <form method="post" className="sponsor-form" noValidate>
        <input type="hidden" name="act" value="creative" />
        <TextField {...field('name', 40)} />
        <TextField {...field('text', 4000)} lines hint={t('sponsors.own.words', { count: placement.maxWords })} />
        <TextField {...field('label', 40)} />
        <TextField {...field('target', 2000)} type="url" />
        <p>
          <button type="submit" className="button full-width-on-phones">
            {t('sponsors.own.send')}
          </button>
        </p>
      </form>
    </>
  )
}

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
