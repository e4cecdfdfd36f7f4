import { Fragment } from 'react'
import { type Currency, writtenSum } from '../../charge/money.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { dateFormat, type Language, locales } from '../../languages.ts'
import { brandedPage, nameInAddress } from '../../newsletters/branded-page.tsx'
import formSource from '../../page/form.css?raw'
import { pageAddresses } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { scriptAddress } from '../../page/scripts.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { EmailField } from '../../subscribers/email-field.tsx'
import { Honeypot } from '../../subscribers/honeypot.tsx'
import { ProofField } from '../../subscribers/proof-field.tsx'
import { type Translate, translator } from '../../translator.ts'
import { creativeLimits } from '../bookings/contract.ts'
import { SponsorFigure, SponsorWords } from '../contract.ts'
import type { AuditedFigures, Rounded } from './figures.ts'
import type { Offered, OfferedSlot } from './offered.ts'
import pageSource from './sponsor.page.css?raw'
import { counting, FormNote, ROOM, TextField } from './text-field.tsx'
import { placementNameIn, writtenDay } from './words.ts'

export const sponsorStyle = stylesheet(formSource, pageSource)

export const sponsorAddress = (newsletter: Pick<NewsletterRow, 'handle' | 'id'>): string =>
  `/sponsor/${nameInAddress(newsletter)}`

export type RequestProblem = 'slot' | 'taken' | 'sponsor' | 'long' | 'message' | 'email' | 'limit' | 'proof'

/** Where what is wrong can be mended. */
const problemPlaces: Record<RequestProblem, string> = {
  ...{ slot: '#slots', taken: '#slots', sponsor: '#sponsor', long: '#sponsor', message: '#message', email: '#email' },
  ...{ limit: '#ask', proof: '#ask' },
}

interface Props {
  publicUrl: string
  newsletter: NewsletterRow
  language: Language
  /** The language that the address names, or null where the page follows the browser. */
  chosen: Language | null
  figures: AuditedFigures
  offered: Offered
  /** When the figures were read. */
  now: Date
  pressed: boolean
  typed?: Readonly<Record<string, string>>
  /** What is wrong, in the order of the page. */
  problems?: readonly RequestProblem[]
}

/** What a sponsor can buy, and a form with which they ask for it. It works without a script. */
export function sponsorPage(props: Props): RenderedPage {
  const { publicUrl, newsletter, language, chosen, offered, pressed, problems = [] } = props
  const t = translator(language)
  const title = t('sponsors.page.title', { newsletter: newsletter.name })
  const words = SponsorWords.parse(newsletter.sponsor_words)
  const lead =
    (words[language] ?? Object.values(words)[0]) ||
    t(offered.placements.length > 0 ? 'sponsors.page.lead' : 'sponsors.page.leadOfNone')
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: sponsorStyle,
      title,
      description: lead,
      script: pressed ? scriptAddress('prove') : null,
      noIndex: newsletter.sponsor_page !== 'listed',
      ...pageAddresses(publicUrl + sponsorAddress(newsletter), { chosen }),
      hrefIn: (one) => withCurrency(one, offered.currency),
    },
    <main className="sponsor-page" id="main">
      {problems.length > 0 ? (
        <FormNote>
          {t('sponsors.page.notSent')}
          {problems.map((one) => (
            <Fragment key={one}>
              {' '}
              <a href={problemPlaces[one]}>{problemText({ ...props, t }, one)}</a>
            </Fragment>
          ))}
        </FormNote>
      ) : null}
      <h1 className="title">{title}</h1>
      <p className="lead">{lead}</p>
      <Figures {...props} t={t} />
      <Placements {...props} t={t} />
      <h2 id="slots">{t('sponsors.page.slots')}</h2>
      {offered.slots.some(({ free }) => free > 0) ? (
        <RequestForm {...props} t={t} />
      ) : (
        <p>{t(offered.placements.length > 0 ? 'sponsors.page.nothingFree' : 'sponsors.page.nothingSold')}</p>
      )}
    </main>,
  )
}

const withCurrency = (language: Language, currency: Currency | null): string =>
  `?${new URLSearchParams({ lang: language, ...(currency && { currency }) })}`

type Part = Props & { t: Translate }

function Figures({ newsletter, language, figures, now, t }: Part) {
  const number = new Intl.NumberFormat(locales[language])
  const written = ({ value, isFewer }: Rounded) =>
    isFewer ? t('sponsors.page.fewer', { number: number.format(value) }) : number.format(value)
  const date = dateFormat(locales[language], { dateStyle: 'long', timeZone: newsletter.timezone }).format(now)
  const shown = SponsorFigure.options.flatMap((name) => {
    const figure = figures[name]
    return figure && newsletter.sponsor_figures.includes(name) ? [{ name, figure }] : []
  })
  if (shown.length === 0) return null
  return (
    <>
      <dl className="sponsor-figures">
        {shown.map(({ name, figure }) => (
          <div key={name}>
            <dt>{t(`sponsors.page.figures.${name}`)}</dt>
            <dd>
              <b>{written(figure)}</b>
              <span className="small">{t(`sponsors.page.meaning.${name}`, { count: figures.publications })}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="small">{t('sponsors.page.counted', { date })}</p>
    </>
  )
}

function Placements({ offered, language, t }: Part) {
  const { currency, currencies, placements, elsewhere } = offered
  if (!currency) return null
  return (
    <>
      <div className="sponsor-head">
        <h2>{t('sponsors.page.placements')}</h2>
        {currencies.length > 1 ? (
          <nav aria-label={t('readers.plans.currency')}>
            {currencies.map((one) => (
              <a key={one} href={withCurrency(language, one)} aria-current={one === currency ? 'true' : undefined}>
                {one.toUpperCase()}
              </a>
            ))}
          </nav>
        ) : null}
      </div>
      <ul className="sponsor-placements">
        {placements.map((placement) => (
          <li key={placement.id}>
            <i className="sponsor-drawing" data-place={placement.place} aria-hidden="true" />
            <b>{placementNameIn(placement, language)}</b>
            <span className="sponsor-price">{writtenSum(placement.amount, currency, language)}</span>
            <span className="small">
              {t(`sponsors.page.place.${placement.place}`)} {t('sponsors.page.words', { count: placement.maxWords })}{' '}
              {placement.takesImage ? `${t('sponsors.page.image')} ` : ''}
              {t('sponsors.page.due', { count: placement.leadDays })}
            </span>
          </li>
        ))}
      </ul>
      {elsewhere.length > 0 ? (
        <p className="small">
          {t('sponsors.page.elsewhere')}{' '}
          {elsewhere.map((placement, at) => (
            <Fragment key={placement.id}>
              {at > 0 ? ', ' : null}
              <a href={withCurrency(language, placement.currency)}>
                {placementNameIn(placement, language)} {writtenSum(placement.amount, placement.currency, language)}
              </a>
            </Fragment>
          ))}
        </p>
      ) : null}
    </>
  )
}

function problemText({ t, typed = {} }: Pick<Part, 't' | 'typed'>, problem: RequestProblem): string {
  if (problem !== 'email') return t(`sponsors.page.problem.${problem}`)
  return t(typed.email?.trim() ? 'subscribers.page.problem.email' : 'sponsors.page.problem.noEmail')
}

function RequestForm(props: Part) {
  const { newsletter, language, offered, typed = {}, problems = [], pressed, t } = props
  const said = (name: RequestProblem, field: string = name) =>
    problems.includes(name) ? (
      <p className="field-problem" id={`${field}-problem`} role="alert">
        {problemText(props, name)}
      </p>
    ) : null
  const { name: most } = creativeLimits
  return (
    <form method="post" noValidate>
      <p className="small">{t('sponsors.page.held')}</p>
      {said('slot')}
      {said('taken')}
      <Slots {...props} />
      <div className="sponsor-form" id="ask">
        {said('limit')}
        {said('proof')}
        <input type="hidden" name="currency" value={offered.currency ?? ''} />
        <TextField
          name="sponsor"
          label={t('sponsors.page.sponsor')}
          most={most * ROOM}
          typed={typed.sponsor}
          problem={said('sponsor') ?? said('long', 'sponsor')}
          counting={counting(props, { of: 'characters', most, begun: typed.sponsor ?? '' })}
          required
        />
        <TextField name="contact" label={t('sponsors.page.contact')} most={80} typed={typed.contact} problem={null} />
        <div>
          <EmailField
            language={language}
            typed={typed.email ?? ''}
            problem={problems.includes('email') ? 'email-problem' : null}
            takesFocus={problems[0] === 'email'}
          >
            {said('email')}
          </EmailField>
        </div>
        <TextField
          name="message"
          label={t('sponsors.page.message')}
          most={1000}
          typed={typed.message}
          problem={said('message')}
          lines
        />
        <Honeypot language={language} />
        {pressed ? <ProofField newsletter={newsletter} language={language} /> : null}
        <p>
          <button type="submit" className="button full-width-on-phones">
            {t('sponsors.page.ask')}
          </button>
        </p>
        <p className="small">{t('sponsors.page.after')}</p>
      </div>
    </form>
  )
}

function Slots({ offered, language, typed = {}, t }: Part) {
  const { placements, days, slots } = offered
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways must be reachable by keyboard (axe scrollable-region-focusable).
    <section className="sponsor-scroll" aria-labelledby="slots" tabIndex={0}>
      <table className="sponsor-slots">
        <thead>
          <tr>
            <th scope="col">{t('sponsors.page.day')}</th>
            {placements.map((placement) => (
              <th key={placement.id} scope="col">
                {placementNameIn(placement, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">{writtenDay(day, language)}</th>
              {slots
                .filter((slot) => slot.day === day)
                .map((slot) => (
                  <td key={slot.placementId} className={slot.free === 0 ? 'sponsor-taken' : undefined}>
                    <Slot {...{ slot, offered, language, typed, t }} />
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface SlotProps extends Pick<Part, 'offered' | 'language' | 't'> {
  slot: OfferedSlot
  typed: Readonly<Record<string, string>>
}

function Slot({ slot: { placementId, day, free }, offered, language, typed, t }: SlotProps) {
  const placement = offered.placements.find(({ id }) => id === placementId)
  const sum = placement && offered.currency ? writtenSum(placement.amount, offered.currency, language) : ''
  const value = `${placementId}:${day}`
  const name = placement ? placementNameIn(placement, language) : ''
  if (free === 0)
    return (
      <span className="small">
        <span className="sponsor-name">
          {name}
          {'\u00A0'}
        </span>
        {t('sponsors.page.taken')}
      </span>
    )
  return (
    <label className="choice sponsor-slot">
      <input
        type="radio"
        name="slot"
        value={value}
        required
        defaultChecked={typed.slot === value}
        aria-label={`${name}, ${writtenDay(day, language)}, ${sum}`}
      />
      <span>
        <span className="sponsor-name">{name} </span>
        {sum}
      </span>
    </label>
  )
}
