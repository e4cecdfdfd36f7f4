import type { ReactNode } from 'react'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { writtenMoment } from '../../sponsorship/public/words.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { translator } from '../../translator.ts'
import type { OptInState } from './contract.ts'
import listSource from './list.css?raw'
import { type OptInPageProps, queryWith, without } from './opt-in.page.tsx'

const listStyle = stylesheet(columnSource, listSource)

/** What a page says that asks nothing. */
export type OptInNotice = 'asked' | 'no' | 'undone'

interface NoticeProps extends Omit<OptInPageProps, 'shown'> {
  caught?: boolean
  /** A sentence that follows the notice's own. */
  more?: string | null
}

export function saidNotice(
  notice: OptInNotice,
  { newsletter, language, query, caught = false, more = null }: NoticeProps,
): RenderedPage {
  const t = translator(language)
  const text = t(`optIn.notice.${notice}.text`, { newsletter: newsletter.name })
  return noticePage(newsletter, language, {
    caught,
    title: t(`optIn.notice.${notice}.title`),
    text: more === null ? text : `${text} ${more}`,
    hrefIn: (other) => queryWith(query, { lang: other }),
    action: {
      label: t(`optIn.notice.${notice}.action`),
      href:
        notice === 'asked' ? queryWith(without(query, 'said'), { lang: language }) : `/n/${nameInAddress(newsletter)}`,
    },
  })
}

const closedKinds = {
  draft: 'soon',
  waiting: 'soon',
  scheduled: 'soon',
  full: 'full',
  ended: 'ended',
  withdrawn: 'withdrawn',
} as const satisfies Record<Exclude<OptInState, 'running'>, string>

/** The statuses of the pages of campaigns that ask nothing: not yet, not any more, and full, which may change when somebody undoes. */
const closedStatus = { soon: 403, full: 409, ended: 410, withdrawn: 410 } as const

interface Closed {
  status: number
  rendered: RenderedPage
}

/** Says kindly why nobody is asked. */
export function closedPage(
  state: Exclude<OptInState, 'running'>,
  { newsletter, campaign, language, query }: Omit<OptInPageProps, 'shown'>,
): Closed {
  const t = translator(language)
  const kind = closedKinds[state]
  const date =
    state === 'scheduled' && campaign.startsAt ? writtenMoment(campaign.startsAt, newsletter, language) : null
  const rendered = noticePage(newsletter, language, {
    title: t(`optIn.closed.${kind}.title`),
    text: date
      ? t('optIn.closed.soon.from', { date })
      : t(`optIn.closed.${kind}.text`, { newsletter: newsletter.name }),
    hrefIn: (other) => queryWith(query, { lang: other }),
    action: { label: t('optIn.closed.read', { newsletter: newsletter.name }), href: `/n/${nameInAddress(newsletter)}` },
  })
  return { status: closedStatus[kind], rendered }
}

/** For an address that no campaign has. */
export function unknownPage(language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(null, language, { title: t('optIn.closed.unknown.title'), text: t('optIn.closed.unknown.text') })
}

/** For the link of a mail that is too old or was not whole. */
export function oldLinkPage({
  newsletter,
  language,
  campaign,
}: Pick<OptInPageProps, 'newsletter' | 'language' | 'campaign'>): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('optIn.oldLink.title'),
    text: t('optIn.oldLink.text'),
    hrefIn: inLanguage,
    action: { label: t('optIn.oldLink.again'), href: `/optin/${campaign.id}` },
  })
}

interface ListProps extends Pick<OptInPageProps, 'newsletter' | 'campaign' | 'language'> {
  until: Date
  /** The address of the page itself, without its query. */
  path: string
}

/** Where a sponsor downloads those who confirmed, and learns who took it back. */
export function listPage({ newsletter, campaign, language, until, path }: ListProps): RenderedPage {
  const t = translator(language)
  const title = t('optIn.list.title', { campaign: campaign.name })
  const file = (name: string, label: string): ReactNode => (
    <p className="list-file">
      <a className="button full-width-on-phones" href={`${path}/${name}.csv?sheet=${language}`}>
        {label}
      </a>
    </p>
  )
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: listStyle,
      title,
      noIndex: true,
      hrefIn: (other) => `?lang=${other}`,
    },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">{t('optIn.list.text', { newsletter: newsletter.name, sponsor: campaign.sponsorName })}</p>
      {file('confirmed', t('optIn.list.confirmed'))}
      <p>{t('optIn.list.undoneText')}</p>
      <p className="list-kept">{t('optIn.list.keptText')}</p>
      {file('withdrawn', t('optIn.list.undone'))}
      <p className="small">{t('optIn.list.until', { date: dayIn({ newsletter, language }, until) })}</p>
    </main>,
  )
}

/** What a sponsor reads at an address of a list that was closed or is over. */
export function listClosedPage({ newsletter, language }: Pick<ListProps, 'newsletter' | 'language'>): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('optIn.list.closed.title'),
    text: t('optIn.list.closed.text', { newsletter: newsletter.name }),
    hrefIn: (other) => `?lang=${other}`,
  })
}
