import type { ReactNode } from 'react'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { maskAddress } from '../../subscribers/address.ts'
import addressSource from '../../subscribers/address-form.css?raw'
import { AddressForm, type AddressProblem } from '../../subscribers/address-form.tsx'
import { dayIn } from '../../subscribers/leave.page.tsx'
import ownSource from '../../subscribers/own-page/own.page.css?raw'
import type { SubscriberRow } from '../../subscribers/queries.ts'
import { Sentence } from '../../subscribers/sentence.tsx'
import { translator } from '../../translator.ts'
import type { Device } from './sessions.ts'

/** What a page in one column is styled with. */
export const columnStyle = [columnSource, formSource, addressSource, ownSource] as const
const style = stylesheet(...columnStyle)

interface PageOf {
  newsletter: NewsletterRow
  language: Language
}

/** Where a reader of a newsletter signs in. `to`: the slug of what they were reading, to which they come back. */
export function signInAddress(
  newsletter: Pick<NewsletterRow, 'handle' | 'id'>,
  { to, lang, said }: { to?: string | null; lang?: Language; said?: 'sent' | 'ended' } = {},
): string {
  const query = new URLSearchParams({ ...(to && { to }), ...(lang && { lang }), ...(said && { said }) })
  return `/signin/${nameInAddress(newsletter)}${query.size > 0 ? `?${query}` : ''}`
}

interface Column extends PageOf {
  title: string
  children: ReactNode
  /** Where it needs more than `columnStyle`. */
  css?: string
  /** The same page in another language. */
  hrefIn?: (language: Language) => string
}

/** A page in one column, with forms. @param className 'own' for a page of several parts */
export function columnPage(
  { newsletter, language, title, children, css = style, hrefIn = inLanguage }: Column,
  className = '',
): RenderedPage {
  return renderPage(
    { ...brandedPage(newsletter, language), css, title, noIndex: true, hrefIn },
    <main className={`column ${className}`.trim()} id="main">
      <h1 className="title">{title}</h1>
      {children}
    </main>,
  )
}

interface SignInProps extends PageOf {
  to: string
  email?: string
  problem?: AddressProblem
}

/** Asks for the address to which a link is sent that signs in. */
export function signInPage({ to, email = '', problem, ...of }: SignInProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  return columnPage({
    ...of,
    title: t('readers.signIn.title', { newsletter: newsletter.name }),
    hrefIn: (lang) => signInAddress(newsletter, { to, lang }),
    children: (
      <>
        <p className="lead">{t('readers.signIn.text')}</p>
        <AddressForm
          {...{ language, email, problem }}
          limit={t('readers.signIn.limit')}
          button={t('readers.signIn.button')}
        >
          <input type="hidden" name="to" value={to} />
        </AddressForm>
      </>
    ),
  })
}

/** The page after asking. It is the same for known and unknown addresses, so that it reveals nothing. */
export function linkSentPage({
  newsletter,
  language,
  to,
  caught,
}: PageOf & { to: string; caught: boolean }): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('readers.sent.title'),
    text: t('readers.sent.text', { newsletter: newsletter.name }),
    caught,
    action: { label: t('readers.sent.again'), href: signInAddress(newsletter, { to, lang: language }) },
    hrefIn: (one) => signInAddress(newsletter, { to, lang: one, said: 'sent' }),
  })
}

interface OpenProps extends PageOf {
  subscriber: SubscriberRow
  /** Where reading goes on, as the address of the link says it. */
  to: string
  /** Whether the plan's devices are all in use. */
  full: boolean
}

/** Asks before a device is remembered, for scanners of mail open every link. */
export function openPage({ subscriber, to, full, ...of }: OpenProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const part = full ? 'full' : 'open'
  const address = maskAddress(subscriber.email)
  return columnPage({
    ...of,
    title: t(`readers.${part}.title`),
    hrefIn: (lang) => `?${new URLSearchParams({ ...(to && { to }), lang })}`,
    children: (
      <>
        <p className="lead">
          <Sentence
            words={(values) => t(`readers.${part}.text`, values)}
            address={address}
            newsletter={newsletter.name}
          />
        </p>
        <form method="post">
          <button type="submit" name="act" value={full ? 'mail' : 'open'} className="button full-width-on-phones">
            {t(`readers.${part}.button`, { address })}
          </button>
        </form>
      </>
    ),
  })
}

/** For a link that is too old, or nobody's. The page is the same for both. */
export function linkOverPage({
  newsletter,
  language,
  to,
}: {
  newsletter: NewsletterRow | null
  language: Language
  to: string
}) {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('readers.over.title'),
    text: t('readers.over.text'),
    action: newsletter && {
      label: t('readers.over.action'),
      href: signInAddress(newsletter, { to, lang: language }),
    },
  })
}

/** A plan that a reader may read, and until when; null: for good. */
export interface ReadablePlan {
  planId: number
  name: string
  until: Date | null
}

interface SignedInProps extends PageOf {
  subscriber: SubscriberRow
  plans: ReadablePlan[]
  devices: Device[]
  ended: boolean
}

/** What a reader who is signed in may read, and on which devices they do. */
export function signedInPage({ subscriber, plans, devices, ended, ...of }: SignedInProps): RenderedPage {
  const { newsletter, language } = of
  const t = translator(language)
  const children = (
    <>
      {ended ? (
        <p className="note" role="status">
          {t('readers.notice.ended')}
        </p>
      ) : null}
      <p className="lead">
        <Sentence
          words={(values) => t('readers.here.text', values)}
          address={maskAddress(subscriber.email)}
          newsletter={newsletter.name}
        />
      </p>
      <p>
        <a href={`/n/${nameInAddress(newsletter)}`}>{t('readers.here.archive')}</a>
      </p>
      <section className="part" aria-labelledby="plans">
        <h2 id="plans">{t('readers.here.plans')}</h2>
        {plans.length === 0 ? <p>{t('readers.here.free')}</p> : null}
        <ul>
          {plans.map(({ name, until }) => (
            <li key={name}>
              {until
                ? t('readers.here.until', { plan: name, date: dayIn(of, until) })
                : t('readers.here.forGood', { plan: name })}
            </li>
          ))}
        </ul>
      </section>
      <section className="part" aria-labelledby="devices">
        <h2 id="devices">{t('readers.here.devices')}</h2>
        <ul>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} {...of} />
          ))}
        </ul>
      </section>
    </>
  )
  return columnPage({ ...of, title: t('readers.here.title'), children }, 'own')
}

function DeviceRow({ device: { id, here, device, seenAt }, ...of }: { device: Device } & PageOf) {
  const t = translator(of.language)
  const name = device ?? t('readers.here.unknownDevice')
  return (
    <li>
      <form method="post" className="pair">
        <input type="hidden" name="session" value={id} />
        <span>
          <b>{here ? t('readers.here.thisDevice', { device: name }) : name}</b>
          <span className="small">{t('readers.here.lastSeen', { date: dayIn(of, seenAt) })}</span>
        </span>
        <button type="submit" name="act" value="end" className="button button-outline">
          {t(here ? 'readers.here.endThis' : 'readers.here.end')}
        </button>
      </form>
    </li>
  )
}
