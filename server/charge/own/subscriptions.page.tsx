import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import type { RenderedPage } from '../../page/render.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { translator } from '../../translator.ts'
import { Currency } from '../currency.ts'
import { writtenSum } from '../money.ts'
import { wordsIn } from '../plans/offers.ts'
import { cancelReasons, type OwnSubscription } from './subscriptions.ts'

/** On the way to Stripe's page, for a browser that does not go by itself. */
export function portalPage({
  newsletter,
  language,
  url,
}: Omit<OwnProps, 'subscriptions'> & { url: string }): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('readers.own.going'),
    text: t('readers.own.goingText'),
    action: { label: t('stripe.page.go'), href: url },
  })
}

interface OwnProps {
  newsletter: NewsletterRow
  language: Language
  subscriptions: OwnSubscription[]
}

/** What the subscriber pays for or was given, on their own page, and how to end it. */
export function OwnSubscriptions({ subscriptions, ...of }: OwnProps) {
  const t = translator(of.language)
  if (subscriptions.length === 0) return null
  return (
    <section className="part" aria-labelledby="subscriptions">
      <h2 id="subscriptions">
        {t(subscriptions.every(({ way }) => isGiven(way)) ? 'readers.own.titleGiven' : 'readers.own.title')}
      </h2>
      <ul>
        {subscriptions.map((subscription) => (
          <li key={subscription.id}>
            <OneSubscription subscription={subscription} {...of} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What ends with somebody who erases themselves, one sentence a plan. */
export function EndingPlans({ subscriptions, newsletter, language }: OwnProps) {
  const t = translator(language)
  return subscriptions.map(({ id, words, way, paid_until }) => {
    const plan = wordsIn(words, language).name
    const kind = isGiven(way) ? 'given' : 'paid'
    return (
      <li key={id}>
        {paid_until
          ? t(`readers.own.erased.${kind}Until`, { plan, date: dayIn({ newsletter, language }, paid_until) })
          : t(`readers.own.erased.${kind}ForGood`, { plan })}
      </li>
    )
  })
}

const isGiven = (way: OwnSubscription['way']) => way === 'gift' || way === 'complimentary'

type OneProps = Omit<OwnProps, 'subscriptions'> & { subscription: OwnSubscription }

function OneSubscription({ subscription, newsletter, language }: OneProps) {
  const t = translator(language)
  const { way, words, renews, status, pauses, offer } = subscription
  const of = { subscription, newsletter, language }
  return (
    <>
      <b>{wordsIn(words, language).name}</b>
      <span className="small">{sentenceOf(of)}</span>
      {subscription.test ? <span className="small test-mark">{t('readers.own.test')}</span> : null}
      {way === 'card' ? (
        <>
          {offer ? <Offer {...of} offer={offer} /> : null}
          <Buttons {...of} />
          {pauses.length > 0 ? <Pause {...of} /> : null}
          {renews && status !== 'ended' ? <Cancel {...of} /> : null}
        </>
      ) : null}
    </>
  )
}

function Buttons({ subscription, language }: OneProps) {
  const t = translator(language)
  const { id, renews, status, mayGoOn } = subscription
  const isPaused = status === 'paused'
  return (
    <form method="post">
      <input type="hidden" name="subscription" value={id} />
      <button type="submit" name="act" value="portal" className="button button-outline">
        {t('readers.own.portal')}
      </button>
      {(renews && !isPaused) || !mayGoOn ? null : (
        <button type="submit" name="act" value="resume" className="button button-outline">
          {t(isPaused ? 'readers.own.resumePaused' : 'readers.own.resume')}
        </button>
      )}
    </form>
  )
}

/** For who has cancelled: it stands below what they did, and asks for nothing. */
function Offer({
  subscription: { id },
  offer: { percent, amount, currency, months },
  language,
}: OneProps & { offer: NonNullable<OwnSubscription['offer']> }) {
  const t = translator(language)
  const known = Currency.safeParse(currency).data
  const off =
    percent === null && known
      ? writtenSum(Number(amount), known, language)
      : new Intl.NumberFormat(language, { style: 'percent' }).format((percent ?? 0) / 100)
  return (
    <form method="post">
      <input type="hidden" name="subscription" value={id} />
      <p>
        <b>{t('readers.own.offer.title')}</b>{' '}
        {months === null
          ? t('readers.own.offer.always', { off })
          : t('readers.own.offer.months', { off, count: months })}
      </p>
      <button type="submit" name="act" value="stay" className="button">
        {t('readers.own.offer.stay')}
      </button>
    </form>
  )
}

/** Two presses: to open it, and to pause. */
function Pause({ subscription: { id, paid_until, pauses }, newsletter, language }: OneProps) {
  const t = translator(language)
  const date = paid_until ? dayIn({ newsletter, language }, paid_until) : ''
  return (
    <details>
      <summary>{t('readers.own.pause')}</summary>
      <p>{t('readers.own.pauseText', { date })}</p>
      <form method="post">
        <input type="hidden" name="subscription" value={id} />
        <fieldset>
          {pauses.map((months, index) => (
            <label key={months} className="choice pace">
              <input type="radio" name="months" value={months} defaultChecked={index === 0} />
              <span>{t('readers.own.pauseFor', { count: months })}</span>
            </label>
          ))}
        </fieldset>
        <button type="submit" name="act" value="rest" className="button full-width-on-phones">
          {t('readers.own.pauseButton')}
        </button>
      </form>
    </details>
  )
}

/** What it costs and until when, in one or two sentences. */
function sentenceOf({ subscription, newsletter, language }: OneProps): string {
  const t = translator(language)
  const { currency, period, paid_until, renews, past_due_since, status, way } = subscription
  const amount = subscription.amount && Number(subscription.amount) - Number(subscription.discount)
  const known = Currency.safeParse(currency).data
  const date = paid_until && dayIn({ newsletter, language }, paid_until)
  const price =
    known && amount && period && !isGiven(way)
      ? `${t(`readers.own.costs.${period}`, { sum: writtenSum(amount, known, language) })} `
      : ''
  if (past_due_since) return price + t('readers.own.late', { date: dayIn({ newsletter, language }, past_due_since) })
  if (status === 'paused') return price + pauseSentence({ subscription, newsletter, language })
  if (!date) return price + t(isGiven(way) ? 'readers.own.givenForGood' : 'readers.own.forGood')
  if (way !== 'card') return price + t(isGiven(way) ? 'readers.own.givenUntil' : 'readers.own.paidUntil', { date })
  const next =
    known && subscription.nextAmount && period && renews
      ? ` ${t('readers.own.next', { sum: t(`plans.price.${period}`, { sum: writtenSum(subscription.nextAmount, known, language) }) })}`
      : ''
  return (
    price +
    t(renews ? (status === 'trialing' ? 'readers.own.trial' : 'readers.own.renews') : 'readers.own.ends', { date }) +
    next
  )
}

/** What can be read still, when the next payment is, and what going on before it costs. */
function pauseSentence({ subscription: { paid_until, resumes_at, isOver }, newsletter, language }: OneProps): string {
  const t = translator(language)
  const day = (at: Date) => dayIn({ newsletter, language }, at)
  return [
    paid_until && !isOver ? t('readers.own.pausedRead', { date: day(paid_until) }) : t('readers.own.paused'),
    resumes_at ? t('readers.own.pausedUntil', { date: day(new Date(resumes_at.getTime() + 3_600_000)) }) : '',
    isOver ? t('readers.own.chargedNow') : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Two presses: to open it, and to cancel. */
function Cancel({ subscription: { id, paid_until }, newsletter, language }: OneProps) {
  const t = translator(language)
  const date = paid_until ? dayIn({ newsletter, language }, paid_until) : ''
  return (
    <details>
      <summary>{t('readers.own.cancel')}</summary>
      <p>{t('readers.own.cancelText', { date })}</p>
      <form method="post">
        <input type="hidden" name="subscription" value={id} />
        <fieldset>
          <legend className="small">{t('readers.own.why')}</legend>
          {cancelReasons.map((reason) => (
            <label key={reason} className="choice pace">
              <input type="radio" name="reason" value={reason} />
              <span>{t(`readers.own.reason.${reason}`)}</span>
            </label>
          ))}
        </fieldset>
        <button type="submit" name="act" value="cancel" className="button button-danger full-width-on-phones">
          {t('readers.own.cancelButton')}
        </button>
      </form>
    </details>
  )
}
