import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress } from '../../newsletters/branded-page.tsx'
import formSource from '../../page/form.css?raw'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { type Translate, translator } from '../../translator.ts'
import { type Currency, unitsOf, writtenSum } from '../money.ts'
import { signInAddress } from '../readers/readers.page.tsx'
import { BuyForm } from '../stripe/buy-form.tsx'
import {
  type Offer,
  type OfferedPrice,
  offeredCurrencies,
  offeredPeriods,
  type Period,
  priceOf,
  wordsIn,
} from './offers.ts'
import plansSource from './plans.page.css?raw'
import { outsideWordsOf } from './settings.ts'

const style = stylesheet(formSource, plansSource)

/** What a visitor chose of the page. */
interface Choice {
  currency: Currency | null
  period: Period
  /** The slug of what they were reading. */
  to: string
}

interface PlansProps {
  newsletter: NewsletterRow
  language: Language
  offers: Offer[]
  /** Whether it can be bought by card, and for money; null when it cannot. */
  card: { test: boolean } | null
  choice: Choice
}

/** The plans of a newsletter with their prices, for whoever may want one. It works without a script. */
export function plansPage(props: PlansProps): RenderedPage {
  const { newsletter, language, offers, card, choice } = props
  const t = translator(language)
  const frame = brandedPage(newsletter, language)
  const paid = offers.filter(({ kind }) => kind === 'paid')
  const title = t('readers.plans.title', { newsletter: newsletter.name })
  return renderPage(
    {
      ...frame,
      css: style,
      title,
      band: card?.test ? t('readers.testBand') : null,
      links: [
        ...(frame.links ?? []),
        { label: t('readers.signIn.link'), href: `${signInAddress(newsletter, choice.to || null)}` },
      ],
      hrefIn: (one) => withChoice(choice, { lang: one }),
    },
    <main className="plans-page" id="main">
      <div className="plans-head">
        <h1 className="title">{title}</h1>
        <Choices {...props} t={t} />
      </div>
      {paid.length === 0 ? <p className="lead">{t('readers.plans.none')}</p> : null}
      <div className="plans">
        {offers.map((offer) => (
          <OfferCard key={offer.id} offer={offer} {...props} t={t} />
        ))}
      </div>
      {paid.length > 0 ? <Outside newsletter={newsletter} language={language} t={t} /> : null}
    </main>,
  )
}

const withChoice = ({ currency, period, to }: Choice, changed: Record<string, string>): string =>
  `?${new URLSearchParams({ per: period, ...(currency && { currency }), ...(to && { to }), ...changed })}`

function Choices({ offers, choice, language, t }: PlansProps & { t: Translate }) {
  const periods = offeredPeriods(offers, choice.currency)
  const currencies = offeredCurrencies(offers)
  return (
    <div className="plans-choices">
      {periods.length > 1 ? (
        <nav aria-label={t('readers.plans.period')}>
          {periods.map((one) => (
            <a
              key={one}
              href={withChoice(choice, { per: one, lang: language })}
              aria-current={one === choice.period ? 'true' : undefined}
            >
              {t(`readers.plans.per.${one}`)}
            </a>
          ))}
        </nav>
      ) : null}
      {currencies.length > 1 ? (
        <nav aria-label={t('readers.plans.currency')}>
          {currencies.map((one) => (
            <a
              key={one}
              href={withChoice(choice, { currency: one, lang: language })}
              aria-current={one === choice.currency ? 'true' : undefined}
            >
              {one.toUpperCase()}
            </a>
          ))}
        </nav>
      ) : null}
    </div>
  )
}

function OfferCard({ offer, newsletter, language, choice, card, t }: PlansProps & { offer: Offer; t: Translate }) {
  const { name, promise } = wordsIn(offer.words, language)
  const price = priceOf(offer, choice.currency, choice.period)
  return (
    <section className="plan">
      <h2 className="title">{name}</h2>
      <p className="plan-price">
        {offer.kind === 'free' ? <b>{t('readers.plans.free')}</b> : null}
        {price ? <Price price={price} offer={offer} language={language} t={t} /> : null}
        {offer.kind === 'paid' && !price ? t('readers.plans.otherCurrency') : null}
      </p>
      <p className="plan-promise">{promise}</p>
      {offer.kind === 'free' ? (
        <p className="small">
          <a href={`/subscribe/${nameInAddress(newsletter)}?lang=${language}`}>{t('readers.plans.subscribe')}</a>
        </p>
      ) : null}
      {offer.trialDays > 0 ? <p className="small">{t('readers.plans.trial', { count: offer.trialDays })}</p> : null}
      {offer.full ? <p className="small">{t('readers.plans.full')}</p> : null}
      {price && card && !offer.full ? (
        <BuyForm {...{ newsletter, language, price, payMore: offer.payMore, test: card.test, t }} />
      ) : null}
      {price && newsletter.tax_inside ? <p className="small">{t('readers.plans.taxInside')}</p> : null}
    </section>
  )
}

interface PriceProps {
  price: OfferedPrice
  offer: Offer
  language: Language
  t: Translate
}

/** A sum, its period, and of a year what a month of it comes to. */
function Price({ price, offer, language, t }: PriceProps) {
  const { amount, currency, period, months } = price
  const sum = writtenSum(amount, currency, language)
  const perMonth = period === 'year' && unitsOf(amount, currency) >= 12 ? Math.round(amount / 12) : null
  return (
    <>
      <b>{sum}</b>
      {period === 'once' && months !== null
        ? t('readers.plans.onceFor', { count: months })
        : t(`readers.plans.each.${period}`)}
      {perMonth === null ? null : t('readers.plans.aMonth', { sum: writtenSum(perMonth, currency, language) })}
      {offer.payMore ? t('readers.plans.orMore') : null}
    </>
  )
}

/** How to get a plan without a card. */
function Outside({ newsletter, language, t }: Pick<PlansProps, 'newsletter' | 'language'> & { t: Translate }) {
  const address = newsletter.reply_to
  const words = outsideWordsOf(newsletter, language)
  return (
    <section className="plans-other">
      <h2>{t('readers.plans.outside.title')}</h2>
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p className="small">
        {t(address ? 'readers.plans.outside.write' : 'readers.plans.outside.answer', { newsletter: newsletter.name })}
      </p>
      {address ? (
        <p>
          <a
            className="button button-outline full-width-on-phones"
            href={`mailto:${encodeURIComponent(address).replace('%40', '@')}`}
          >
            {address}
          </a>
        </p>
      ) : null}
      <p>
        <a href={`/plans/${nameInAddress(newsletter)}/gift?lang=${language}`}>{t('gifts.link')}</a>
      </p>
    </section>
  )
}
