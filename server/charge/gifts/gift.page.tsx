import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import type { RenderedPage } from '../../page/render.ts'
import { maskAddress } from '../../subscribers/address.ts'
import { AddressForm, type AddressProblem } from '../../subscribers/address-form.tsx'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { Sentence } from '../../subscribers/sentence.tsx'
import { translator } from '../../translator.ts'
import { wordsIn } from '../plans/offers.ts'
import { columnPage, signInAddress } from '../readers/readers.page.tsx'
import { checkoutConsent } from '../stripe/buy-form.tsx'
import type { Given } from './redeem.ts'

interface PageOf {
  newsletter: NewsletterRow
  language: Language
}

/** Where somebody types the code of a gift. */
export const giftAddress = (newsletter: Pick<NewsletterRow, 'handle' | 'id'>): string =>
  `/plans/${nameInAddress(newsletter)}/gift`

export type GiftProblem = AddressProblem | 'code'

interface CodeProps extends PageOf {
  code: string
  email?: string
  problem?: GiftProblem
  /** Whether the page of plans has a field for discounts. */
  takesDiscounts?: boolean
}

/** Asks for the code of a gift, and for the address that takes it. */
export function codePage({ code, email = '', problem, takesDiscounts = false, ...of }: CodeProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const isMissing = code.trim() === ''
  const wrong = problem === 'code' || (problem === 'email' && isMissing)
  return columnPage({
    ...of,
    title: t('gifts.page.title'),
    children: (
      <>
        <p className="lead">{t('gifts.page.text', { newsletter: newsletter.name })}</p>
        <AddressForm
          language={language}
          email={email}
          problem={problem === 'code' ? undefined : problem}
          limit={t('readers.signIn.limit')}
          button={t('gifts.page.button')}
        >
          <label className="field-label" htmlFor="code">
            {t('gifts.page.code')}
          </label>
          <input
            className="field"
            id="code"
            type="text"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            placeholder="ABCD-EFGH-JKMN"
            defaultValue={code}
            required
            {...(wrong && { 'aria-invalid': true, 'aria-describedby': 'code-problem', autoFocus: problem === 'code' })}
          />
          {wrong ? (
            <p className="field-problem" id="code-problem" role="alert">
              {t(isMissing ? 'errors.fields.required' : 'gifts.page.wrongCode')}
            </p>
          ) : null}
          {wrong && takesDiscounts && !isMissing ? (
            // Also for a code that is no discount: nobody learns here which there are.
            <p className="small">
              {t('gifts.page.isDiscount')}{' '}
              <a href={plansWith({ newsletter, language, code })}>{t('gifts.page.toPlans')}</a>
            </p>
          ) : null}
        </AddressForm>
      </>
    ),
  })
}

const plansWith = ({ newsletter, language, code }: Pick<CodeProps, 'newsletter' | 'language' | 'code'>): string =>
  `/plans/${nameInAddress(newsletter)}?${new URLSearchParams({ lang: language, ...(code && { coupon: code }) })}`

/** The page after asking. It is the same for known and unknown addresses. */
export function giftMailedPage({ newsletter, language, caught }: PageOf & { caught: boolean }): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('gifts.sent.title'),
    text: t('gifts.sent.text'),
    caught,
    action: { label: t('gifts.sent.again'), href: `${giftAddress(newsletter)}?lang=${language}` },
    hrefIn: (one) => `?lang=${one}&said=sent`,
  })
}

interface TakeProps extends PageOf {
  gift: Given
  email: string
  /** Whether they still have to ask for the newsletter, and whether they have just left that out. */
  consent: 'given' | 'asked' | 'missing'
}

/** Asks before a gift is taken, for scanners of mail open every link. */
export function takePage({ gift, email, consent, ...of }: TakeProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const { name, promise } = wordsIn(gift.words, language)
  const missing = consent === 'missing'
  return columnPage({
    ...of,
    title: t('gifts.take.title', { plan: name, count: gift.months }),
    children: (
      <>
        {promise ? <p className="lead">{promise}</p> : null}
        <p>
          <Sentence
            words={(values) => t('gifts.take.text', values)}
            address={maskAddress(email)}
            newsletter={newsletter.name}
          />
        </p>
        <form method="post" noValidate>
          {consent === 'given' ? null : (
            <label className="choice consent">
              <input
                type="checkbox"
                name="consent"
                value="yes"
                required
                {...(missing && { 'aria-invalid': true, 'aria-describedby': 'consent-problem', autoFocus: true })}
              />
              <span>
                {checkoutConsent(newsletter, t)} {t('gifts.take.needed')}
              </span>
            </label>
          )}
          {missing ? (
            <p className="field-problem" id="consent-problem" role="alert">
              {t('gifts.take.missing', { newsletter: newsletter.name })}
            </p>
          ) : null}
          <p className="address-button">
            <button type="submit" className="button full-width-on-phones">
              {t('gifts.take.button')}
            </button>
          </p>
        </form>
      </>
    ),
  })
}

/** After it was taken. `isAsked`: whoever had left is asked by mail whether they want the newsletter again. */
export function takenPage({
  gift,
  until,
  isAsked,
  ...of
}: PageOf & { gift: Given; until: Date | null; isAsked: boolean }): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const { name: plan } = wordsIn(gift.words, language)
  return noticePage(newsletter, language, {
    title: t('gifts.taken.title'),
    text: [
      until
        ? t('gifts.taken.text', { plan, newsletter: newsletter.name, date: dayIn(of, until) })
        : t('gifts.taken.over', { plan }),
      isAsked && t('gifts.taken.asked'),
    ]
      .filter(Boolean)
      .join(' '),
    action: { label: t('gifts.taken.read'), href: signInAddress(newsletter, { lang: language }) },
    hrefIn: (one) => `?lang=${one}${isAsked ? '&said=asked' : ''}`,
  })
}

/** Why a gift cannot be taken: the link or the gift is over, they have its plan, or no mail goes to their address. */
export function notTakenPage(
  why: 'link' | 'over' | 'has' | 'address',
  { newsletter, language }: { newsletter: NewsletterRow | null; language: Language },
): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t(`gifts.not.${why}.title`),
    text: t(`gifts.not.${why}.text`),
    action: newsletter && { label: t('gifts.not.again'), href: `${giftAddress(newsletter)}?lang=${language}` },
  })
}
