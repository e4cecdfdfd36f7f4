import type { ReactElement } from 'react'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import { inLanguage } from '../../page/language.ts'
import { Honeypot } from '../../subscribers/honeypot.tsx'
import type { Translate } from '../../translator.ts'
import { type Currency, typedSum, writtenSum } from '../money.ts'
import type { Origin } from '../plans/origin.ts'

interface Props {
  newsletter: NewsletterRow
  language: Language
  price: { id: number; amount: number; suggested: number | null; currency: Currency }
  payMore: boolean
  /** The code of a coupon that may be used for it. */
  coupon: string | null
  origin: Origin
  /** No card is charged, and the form says so. */
  test: boolean
  /** Whoever is signed in to read buys for the address that is known. */
  isReader: boolean
  t: Translate
}

/** What is needed before Stripe's page: an address, and a yes. It opens below its plan, without a script. */
export function BuyForm({
  newsletter,
  language,
  price,
  payMore,
  coupon,
  origin,
  test,
  isReader,
  t,
}: Props): ReactElement {
  return (
    <details className="buy">
      <summary className="button full-width-on-phones">{t(test ? 'stripe.page.tryIt' : 'stripe.page.buy')}</summary>
      <form action={`/checkout/${nameInAddress(newsletter)}${inLanguage(language)}`} method="post">
        <input type="hidden" name="price" value={price.id} />
        {coupon ? <input type="hidden" name="coupon" value={coupon} /> : null}
        {Object.entries({ publication: origin.publicationId, source: origin.source, to: origin.to }).map(
          ([name, value]) => (value ? <input key={name} type="hidden" name={name} value={value} /> : null),
        )}
        {test ? <p className="small">{t('stripe.page.goingTest')}</p> : null}
        {payMore ? (
          <label>
            <span>{t('stripe.page.amount', { currency: price.currency.toUpperCase() })}</span>
            <input
              className="field"
              type="text"
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              aria-describedby={`least-${price.id}`}
              defaultValue={typedSum(price.suggested ?? price.amount, price.currency, language)}
            />
            <span className="small" id={`least-${price.id}`}>
              {t('stripe.page.least', { sum: writtenSum(price.amount, price.currency, language) })}
            </span>
          </label>
        ) : null}
        {isReader ? null : (
          <>
            <label>
              <span>{t('stripe.page.email')}</span>
              <input className="field" type="email" name="email" required autoComplete="email" maxLength={254} />
            </label>
            <label className="choice consent">
              <input type="checkbox" name="consent" value="yes" required />
              <span>{checkoutConsent(newsletter, t)}</span>
            </label>
          </>
        )}
        <Honeypot language={language} />
        <button type="submit" className="button full-width-on-phones">
          {t('stripe.page.go')}
        </button>
      </form>
    </details>
  )
}

/** The sentence beside the box that a stranger ticks. Their receipt keeps it. */
export const checkoutConsent = ({ name }: Pick<NewsletterRow, 'name'>, t: Translate): string =>
  t('stripe.page.consent', { newsletter: name })
