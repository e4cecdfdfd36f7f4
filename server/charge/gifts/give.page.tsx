import type { ReactElement } from 'react'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import { inLanguage } from '../../page/language.ts'
import type { RenderedPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { EmailField, emailFault } from '../../subscribers/email-field.tsx'
import { Honeypot } from '../../subscribers/honeypot.tsx'
import { translator } from '../../translator.ts'
import { writtenSum } from '../money.ts'
import { type Offer, type OfferedPrice, wordsIn } from '../plans/offers.ts'
import { columnPage, columnStyle } from '../readers/readers.page.tsx'
import { giftLengths } from './contract.ts'
import giveSource from './give.page.css?raw'

const style = stylesheet(...columnStyle, giveSource)

interface PageOf {
  newsletter: NewsletterRow
  language: Language
}

/** Where a plan is bought for somebody else. */
export const giveAddress = (newsletter: Pick<NewsletterRow, 'handle' | 'id'>): string =>
  `/plans/${nameInAddress(newsletter)}/give`

/** What is wrong with a form, each beside its field. */
export const giveProblems = ['email', 'recipient', 'name', 'message', 'day'] as const
export type GiveProblem = (typeof giveProblems)[number]

interface GiveProps extends PageOf {
  offer: Offer
  price: OfferedPrice & { months: number }
  /** What was typed before. */
  fields: Readonly<Record<string, string>>
  problem?: GiveProblem
  /** The first and the last day on which it can be mailed, YYYY-MM-DD. */
  days: { first: string; last: string }
  test: boolean
}

/** Asks who gives, to whom, when and with which words, before Stripe's page. It works without a script. */
export function givePage({ offer, price, fields, problem, days, test, ...of }: GiveProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const { name, promise } = wordsIn(offer.words, language)
  const sum = writtenSum(price.amount, price.currency, language)
  const given = { language, fields, problem }
  return columnPage({
    ...of,
    css: style,
    hrefIn: (one) => `${giveAddress(newsletter)}${inLanguage(one)}&price=${price.id}`,
    title: t('boughtGifts.page.title', { plan: name }),
    children: (
      <>
        {promise ? <p className="lead">{promise}</p> : null}
        <p>{t('boughtGifts.page.text', { count: price.months, newsletter: newsletter.name, sum })}</p>
        <form className="give" action={`${giveAddress(newsletter)}${inLanguage(language)}`} method="post">
          <input type="hidden" name="price" value={price.id} />
          <EmailField
            language={language}
            label={t('boughtGifts.page.email')}
            typed={fields.email ?? ''}
            problem={problem === 'email' ? 'email-problem' : null}
          >
            <Problem {...given} of="email" />
          </EmailField>
          <Field {...given} name="recipient" type="email" maxLength={254} autoComplete="off" />
          <Field {...given} name="name" type="text" maxLength={giftLengths.name} autoComplete="off" />
          <Field {...given} name="day" type="date" min={days.first} max={days.last} />
          <label className="field-label" htmlFor="message">
            {t('boughtGifts.page.message')}
          </label>
          <textarea
            className="field"
            id="message"
            name="message"
            rows={4}
            maxLength={giftLengths.message}
            defaultValue={fields.message ?? ''}
            {...wrongWith('message', problem)}
          />
          <Problem {...given} of="message" />
          <Honeypot language={language} />
          {test ? <p className="small">{t('stripe.page.goingTest')}</p> : null}
          <p className="small">{t('boughtGifts.page.kept')}</p>
          <p className="address-button">
            <button type="submit" className="button full-width-on-phones">
              {t('stripe.page.go')}
            </button>
          </p>
        </form>
      </>
    ),
  })
}

interface FieldProps {
  name: Exclude<GiveProblem, 'email' | 'message'>
  type: 'email' | 'text' | 'date'
  language: Language
  fields: Readonly<Record<string, string>>
  problem: GiveProblem | undefined
  maxLength?: number
  min?: string
  max?: string
  autoComplete?: string
}

function Field({ language, fields, problem, name, ...input }: FieldProps): ReactElement {
  const t = translator(language)
  return (
    <>
      <label className="field-label" htmlFor={name}>
        {t(`boughtGifts.page.${name}`)}
      </label>
      <input
        className="field"
        id={name}
        name={name}
        {...input}
        defaultValue={fields[name] ?? ''}
        {...wrongWith(name, problem)}
      />
      <Problem {...{ language, problem, fields }} of={name} />
    </>
  )
}

const wrongWith = (name: GiveProblem, problem: GiveProblem | undefined) =>
  problem === name ? { 'aria-invalid': true, 'aria-describedby': `${name}-problem`, autoFocus: true } : {}

interface ProblemProps {
  language: Language
  problem: GiveProblem | undefined
  of: GiveProblem
  /** As they were typed. */
  fields: Record<string, string>
}

function Problem({ language, problem, of, fields }: ProblemProps) {
  const t = translator(language)
  if (problem !== of) return null
  return (
    <p className="field-problem" id={`${of}-problem`} role="alert">
      {of === 'email' ? emailFault(t, fields.email ?? '') : t(`boughtGifts.page.problem.${of}`)}
    </p>
  )
}

/** After Stripe's page. */
export function orderedPage({ newsletter, language }: PageOf): RenderedPage {
  const t = translator(language)
  const test = newsletter.card_test
  return noticePage(newsletter, language, {
    title: t('boughtGifts.done.title'),
    text: t(test ? 'boughtGifts.done.textTest' : 'boughtGifts.done.text'),
    band: test ? t('readers.testBand') : null,
    action: { label: t('boughtGifts.done.plans'), href: `/plans/${nameInAddress(newsletter)}?lang=${language}` },
    hrefIn: inLanguage,
  })
}
