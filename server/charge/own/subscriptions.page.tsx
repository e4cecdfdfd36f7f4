import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import type { RenderedPage } from '../../page/render.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { translator } from '../../translator.ts'
import { Currency, writtenSum } from '../money.ts'
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

/** What the subscriber pays for, on their own page, and how to end it. */
export function OwnSubscriptions({ subscriptions, ...of }: OwnProps) {
  const t = translator(of.language)
  if (subscriptions.length === 0) return null
  return (
    <section className="part" aria-labelledby="subscriptions">
      <h2 id="subscriptions">{t('readers.own.title')}</h2>
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

type OneProps = Omit<OwnProps, 'subscriptions'> & { subscription: OwnSubscription }

function OneSubscription({ subscription, newsletter, language }: OneProps) {
  const t = translator(language)
  const { id, way, words, renews } = subscription
  return (
    <>
      <b>{wordsIn(words, language).name}</b>
      <span className="small">{sentenceOf({ subscription, newsletter, language })}</span>
      {subscription.test ? <span className="small test-mark">{t('readers.own.test')}</span> : null}
      {way === 'card' ? (
        <>
          <form method="post">
            <input type="hidden" name="subscription" value={id} />
            <button type="submit" name="act" value="portal" className="button button-outline">
              {t('readers.own.portal')}
            </button>
            {renews ? null : (
              <button type="submit" name="act" value="resume" className="button button-outline">
                {t('readers.own.resume')}
              </button>
            )}
          </form>
          {renews ? <Cancel {...{ subscription, newsletter, language }} /> : null}
        </>
      ) : null}
    </>
  )
}

/** What it costs and until when, in one or two sentences. */
function sentenceOf({ subscription, newsletter, language }: OneProps): string {
  const t = translator(language)
  const { currency, amount, period, paid_until, renews, past_due_since, status, way } = subscription
  const known = Currency.safeParse(currency).data
  const date = paid_until && dayIn({ newsletter, language }, paid_until)
  const price =
    known && amount && period && way !== 'gift' && way !== 'complimentary'
      ? `${t(`readers.own.costs.${period}`, { sum: writtenSum(amount, known, language) })} `
      : ''
  if (past_due_since) return price + t('readers.own.late', { date: dayIn({ newsletter, language }, past_due_since) })
  if (status === 'paused') return price + t('readers.own.paused')
  if (!date) return price + t('readers.own.forGood')
  return (
    price +
    t(renews ? (status === 'trialing' ? 'readers.own.trial' : 'readers.own.renews') : 'readers.own.ends', { date })
  )
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
