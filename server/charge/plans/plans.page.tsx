import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress } from '../../newsletters/branded-page.tsx'
import formSource from '../../page/form.css?raw'
import { pageAddresses } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { SubscribeButton } from '../../subscribers/subscribe-button.tsx'
import { type Translate, translator } from '../../translator.ts'
import { readCode } from '../gifts/code.ts'
import { giveAddress } from '../gifts/give.page.tsx'
import { giftPrice } from '../gifts/orders.ts'
import { type Currency, unitsOf, writtenSum } from '../money.ts'
import { type ReadablePlan, signInAddress } from '../readers/readers.page.tsx'
import { BuyForm } from '../stripe/buy-form.tsx'
import type { CouponRow } from '../stripe/coupons.ts'
import { isUsable, reducedBy } from './coupons.ts'
import {
  type Offer,
  type OfferedPrice,
  offeredCurrencies,
  offeredPeriods,
  type Period,
  priceOf,
  wordsIn,
} from './offers.ts'
import type { Origin } from './origin.ts'
import plansSource from './plans.page.css?raw'
import { outsideWordsOf } from './settings.ts'

const style = stylesheet(formSource, plansSource)

/** What a visitor chose of the page. */
interface Choice {
  currency: Currency | null
  period: Period
  origin: Origin
  /** The code that they typed, and the coupon that has it. */
  coupon: { code: string; row: CouponRow | null; now: Date } | null
}

interface PlansProps {
  publicUrl: string
  newsletter: NewsletterRow
  language: Language
  /** The language that the address names, or null where the page follows the browser. */
  chosen: Language | null
  offers: Offer[]
  /** Whether it can be bought by card, and for money; null when it cannot. */
  card: { test: boolean } | null
  choice: Choice
  /** Whoever is signed in to read, and what is open to them; null for everybody else. */
  reader: { isSubscribed: boolean; readable: ReadablePlan[] } | null
}

/** The plans of a newsletter with their prices, for whoever may want one. It works without a script. */
export function plansPage(props: PlansProps): RenderedPage {
  const { publicUrl, newsletter, language, chosen, offers, card, choice, reader } = props
  const t = translator(language)
  const frame = brandedPage(newsletter, language)
  const paid = offers.filter(({ kind }) => kind === 'paid')
  const title = t('readers.plans.title', { newsletter: newsletter.name })
  return renderPage(
    {
      ...frame,
      plansHref: null,
      css: style,
      title,
      description: newsletter.description || null,
      band: card?.test ? t('readers.testBand') : null,
      links: [
        ...(frame.links ?? []),
        {
          label: t(reader ? 'readers.here.link' : 'readers.signIn.link'),
          href: signInAddress(newsletter, {
            to: choice.origin.to,
            ...(language !== newsletter.language && { lang: language }),
          }),
        },
      ],
      ...pageAddresses(`${publicUrl}/plans/${nameInAddress(newsletter)}`, { chosen }),
      hrefIn: (one) => withChoice(choice, { lang: one }),
    },
    <main className="plans-page" id="main">
      <div className="plans-head">
        <h1 className="title">{title}</h1>
        <Choices {...props} t={t} />
      </div>
      {paid.length === 0 ? <p className="lead">{t('readers.plans.none')}</p> : null}
      {offers.length > 0 ? (
        <div className="plans" data-columns={columnsFor(offers.length)}>
          {offers.map((offer) => (
            <OfferCard key={offer.id} offer={offer} {...props} t={t} />
          ))}
        </div>
      ) : null}
      {paid.length > 0 && card ? <CouponForm {...props} t={t} /> : null}
      <section className="plans-other">
        {paid.some(({ full }) => !full) ? <Outside {...{ newsletter, language, reader, t }} /> : null}
        {paid.length === 0 || newsletter.reply_to || reader?.isSubscribed ? null : (
          <SubscribeButton {...{ newsletter, language }} label={t('readers.plans.subscribe')} />
        )}
        {/* A gift is kept when its plan is closed. */}
        <p>
          <a href={`/plans/${nameInAddress(newsletter)}/gift?lang=${language}`}>{t('gifts.link')}</a>
        </p>
      </section>
    </main>,
  )
}

/** Three, unless that leaves one plan alone in its row. */
const columnsFor = (plans: number): number => (plans < 3 ? plans : plans === 4 ? 2 : 3)

const withChoice = ({ currency, period, origin, coupon }: Choice, changed: Record<string, string>): string =>
  `?${new URLSearchParams({ per: period, ...(currency && { currency }), ...keptOf(origin), ...(coupon && { coupon: coupon.code }), ...changed })}`

const keptOf = ({ to, source }: Origin) => ({ ...(to && { to }), source })

function Choices({ newsletter, offers, choice, language, t }: PlansProps & { t: Translate }) {
  const periods = offeredPeriods(offers, choice.currency)
  const currencies = offeredCurrencies(offers, newsletter.currency)
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

function OfferCard(props: PlansProps & { offer: Offer; t: Translate }) {
  const { offer, newsletter, language, choice, card, reader, t } = props
  const { name, promise } = wordsIn(offer.words, language)
  const price = priceOf(offer, choice.currency, choice.period)
  const own = reader?.readable.find(({ planId }) => planId === offer.id)
  const gift = card && !offer.full ? giftPrice(offer, choice.currency) : null
  const coupon = price && card ? couponFor(choice, offer, price) : null
  return (
    <section className="plan">
      <h2 className="title">{name}</h2>
      <p className="plan-price">
        {offer.kind === 'free' ? <b>{t('readers.plans.free')}</b> : null}
        {price ? <Price {...{ price, offer, language, coupon, t }} /> : null}
        {offer.kind === 'paid' && !price ? t('readers.plans.otherCurrency') : null}
      </p>
      <p className="plan-promise">{promise}</p>
      {own ? (
        <p>
          <b>{own.until ? t('readers.plans.own', { date: dayIn(props, own.until) }) : t('readers.plans.ownForGood')}</b>
        </p>
      ) : null}
      {offer.kind === 'free' && !reader?.isSubscribed ? (
        <p className="small">
          <a href={`/subscribe/${nameInAddress(newsletter)}?lang=${language}`}>{t('readers.plans.subscribe')}</a>
        </p>
      ) : null}
      {offer.trialDays > 0 && card && !own ? (
        <p className="small">{t('readers.plans.trial', { count: offer.trialDays })}</p>
      ) : null}
      {offer.full ? <p className="small">{t('readers.plans.full')}</p> : null}
      {price && card && !offer.full && !own ? (
        <BuyForm
          {...{ newsletter, language, price, payMore: offer.payMore, test: card.test, origin: choice.origin, t }}
          coupon={coupon?.code ?? null}
          isReader={reader !== null}
        />
      ) : null}
      {gift ? (
        <p className="small">
          <a href={`${giveAddress(newsletter)}?price=${gift.id}&lang=${language}`}>{t('boughtGifts.give')}</a>
        </p>
      ) : null}
      {price && newsletter.tax_inside ? <p className="small">{t('readers.plans.taxInside')}</p> : null}
    </section>
  )
}

interface PriceProps {
  price: OfferedPrice
  coupon: CouponRow | null
  offer: Offer
  language: Language
  t: Translate
}

/** A sum, its period, and of a year what a month of it comes to. */
function Price({ price, coupon, offer, language, t }: PriceProps) {
  const { currency, period, months } = price
  const amount = coupon ? reducedBy(coupon, price.amount) : price.amount
  const sum = writtenSum(amount, currency, language)
  const perMonth = period === 'year' && unitsOf(amount, currency) >= 12 ? Math.round(amount / 12) : null
  return (
    <>
      {coupon ? <s>{writtenSum(price.amount, currency, language)}</s> : null}
      <b>{sum}</b>{' '}
      {period === 'once' && months !== null
        ? t('readers.plans.onceFor', { count: months })
        : t(`readers.plans.each.${period}`)}
      {perMonth === null ? null : t('readers.plans.aMonth', { sum: writtenSum(perMonth, currency, language) })}
      {offer.payMore ? t('readers.plans.orMore') : null}
      {coupon && period !== 'once' ? <small>{couponSentence(coupon, t)}</small> : null}
    </>
  )
}

/** The coupon that the visitor typed, when it may be used for this price. */
const couponFor = ({ coupon }: Choice, { id }: Offer, { currency }: OfferedPrice): CouponRow | null =>
  coupon?.row && isUsable(coupon.row, { planId: id, currency, now: coupon.now }) ? coupon.row : null

const couponSentence = ({ code, months }: CouponRow, t: Translate): string =>
  months === null
    ? t('readers.plans.coupon.always', { code })
    : t('readers.plans.coupon.months', { code, count: months })

/** Where a code is typed. What it changes is shown before anybody goes on. */
function CouponForm({ newsletter, offers, choice, language, t }: PlansProps & { t: Translate }) {
  const { coupon, currency, period, origin } = choice
  const gift = coupon && readCode(coupon.code)
  const fits = offers.some((offer) => {
    const price = priceOf(offer, currency, period)
    return price && couponFor(choice, offer, price)
  })
  const kept = { lang: language, per: period, currency: currency ?? '', ...keptOf(origin) }
  return (
    <form method="get" className="plans-coupon">
      {Object.entries(kept).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      <label>
        <span>{t('readers.plans.coupon.label')}</span>
        <input className="field" name="coupon" maxLength={40} autoComplete="off" defaultValue={coupon?.code ?? ''} />
      </label>
      <button type="submit" className="button button-outline">
        {t('readers.plans.coupon.use')}
      </button>
      {coupon ? (
        <p role="status" className="small">
          {t(fits ? 'readers.plans.coupon.fits' : 'readers.plans.coupon.none', { code: coupon.code })}
          {!coupon.row && gift ? (
            // By how it is written alone: nobody learns here which gifts there are.
            <>
              {' '}
              {t('readers.plans.coupon.isGift')}{' '}
              <a
                href={`/plans/${nameInAddress(newsletter)}/gift?${new URLSearchParams({ lang: language, code: gift })}`}
              >
                {t('readers.plans.coupon.toGift')}
              </a>
            </>
          ) : null}
        </p>
      ) : null}
    </form>
  )
}

/** How to get a plan without a card. */
function Outside({
  newsletter,
  language,
  reader,
  t,
}: Pick<PlansProps, 'newsletter' | 'language' | 'reader'> & { t: Translate }) {
  const getsMail = reader?.isSubscribed === true
  const address = newsletter.reply_to
  const words = outsideWordsOf(newsletter, language)
  return (
    <>
      <h2>{t('readers.plans.outside.title')}</h2>
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p className="small">
        {t(`readers.plans.outside.${address ? 'write' : getsMail ? 'answerSubscribed' : 'answer'}`, {
          newsletter: newsletter.name,
        })}
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
    </>
  )
}
