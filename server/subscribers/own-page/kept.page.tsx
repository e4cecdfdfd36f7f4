import type { ReactNode } from 'react'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import { OwnSubscriptions } from '../../charge/own/subscriptions.page.tsx'
import type { NewsletterRow } from '../../http/scope.ts'
import { type Language, languageLabel } from '../../languages.ts'
import { translator } from '../../translator.ts'
import { consentMeans } from '../contract.ts'
import { EmailField } from '../email-field.tsx'
import { dayInFile } from '../import/proof.ts'
import { dayIn } from '../leave.page.tsx'
import type { SubscriberRow } from '../queries.ts'
import type { Kept } from './kept.ts'

const DELIVERIES_SHOWN = 12

interface KeptProps {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
  /** Of the address that the page has. */
  token: string
  kept: Kept
  /** What came of asking for another address. */
  moveNotice: ReactNode
}

/** Everything that a subscriber reads of what is kept, and what they can do with it. */
export const KeptOfYou = (props: KeptProps) => (
  <>
    <OwnSubscriptions {...props} subscriptions={props.kept.subscriptions} />
    <Facts {...props} />
    <Receipts {...props} />
    <Received {...props} />
    {props.subscriber.status === 'active' ? <Move {...props} /> : null}
    <TakeAndErase {...props} />
  </>
)

function Facts(props: KeptProps) {
  const { subscriber, language, kept } = props
  const t = translator(language)
  const day = (at: Date | null) => at && dayIn(props, at)
  const facts: [string, string | null][] = [
    [t('own.kept.address'), subscriber.email],
    [t('own.kept.language'), languageLabel(subscriber.language, language)],
    [t('own.kept.status'), t(`own.kept.state.${subscriber.status}`)],
    [t('own.kept.noted'), subscriber.status === 'campaign_only' ? null : day(subscriber.created_at)],
    [t(subscriber.source === 'import' ? 'own.kept.added' : 'own.kept.confirmed'), day(subscriber.confirmed_at)],
    [t('own.kept.left'), day(subscriber.left_at)],
    [t('own.kept.tags', { count: kept.tags.length }), kept.tags.map(({ name }) => name).join(', ') || null],
    ...kept.fields.map(({ label, value }): [string, string | null] => [label, answer(value, language)]),
  ]
  return (
    <section className="part" aria-labelledby="kept">
      <h2 id="kept">{t('own.kept.title')}</h2>
      <dl className="facts">
        {subscriber.name ? <Name name={subscriber.name} language={language} /> : null}
        {facts.map(([term, value]) =>
          value === null ? null : (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {kept.inFile > 0 ? (
        <p className="small">{t('own.kept.inFile', { count: kept.inFile, newsletter: props.newsletter.name })}</p>
      ) : null}
    </section>
  )
}

function answer(value: string | number | boolean, language: Language): string {
  if (typeof value === 'boolean') return translator(language)(value ? 'own.kept.yes' : 'own.kept.no')
  return String(value)
}

function Name({ name, language }: { name: NonNullable<SubscriberRow['name']>; language: Language }) {
  const t = translator(language)
  return (
    <div>
      <dt>{t('own.kept.name')}</dt>
      <dd>{name}</dd>
      <dd className="act">
        <form method="post">
          <button type="submit" name="act" value="name" className="as-link">
            {t('own.kept.removeName')}
          </button>
        </form>
      </dd>
    </div>
  )
}

function Receipts(props: KeptProps) {
  const { language, kept } = props
  const t = translator(language)
  return (
    <section className="part" aria-labelledby="receipts">
      <h2 id="receipts">{t('own.receipts.title')}</h2>
      <p className="small">{t('own.receipts.text')}</p>
      <ul>
        {kept.receipts.map((receipt) => (
          <li key={`${receipt.act} ${receipt.at.toISOString()}`}>
            <p className="words" lang={receipt.language}>
              {t('own.receipts.quote', { words: receipt.wording })}
            </p>
            <span className="small">{howItCame(props, receipt)}</span>
          </li>
        ))}
      </ul>
      {kept.receipts.length > 0 ? (
        <p>
          <Download token={props.token} name="receipts" label={t('own.receipts.download')} />
        </p>
      ) : null}
    </section>
  )
}

function howItCame(props: KeptProps, receipt: Kept['receipts'][number]): string {
  const { language } = props
  const t = translator(language)
  const { act, means } = receipt
  const date = dayIn(props, receipt.at)
  if (means !== 'import')
    return t('own.receipts.line', {
      act: t(`own.receipts.${receipt.toCampaign ? 'actToCampaign' : 'act'}.${act}`),
      date,
      means: meansIn(means, language),
    })
  const dated = dayInFile(receipt)
  const day = dated && dayIn({ newsletter: { timezone: 'UTC' }, language }, new Date(dated))
  return [
    t('subscribers.imported.noted', { date }),
    dated ? t(`subscribers.imported.dated.${act}`, { day }) : t(`subscribers.imported.undated.${act}`),
  ].join(' · ')
}

function meansIn(means: string, language: Language): string {
  const known = consentMeans.find((one) => one === means)
  return known ? translator(language)(`subscribers.means.${known}`) : means
}

const Download = ({ token, name, label }: { token: string; name: 'data' | 'receipts'; label: string }) => (
  <a className="button button-outline full-width-on-phones" href={`/me/${token}/${name}`} download>
    {label}
  </a>
)

function Received(props: KeptProps) {
  const { newsletter, language, kept } = props
  const t = translator(language)
  const shown = kept.deliveries.slice(0, DELIVERIES_SHOWN)
  return (
    <section className="part" aria-labelledby="received">
      <h2 id="received">{t('own.received.title')}</h2>
      <p className="small">{t(`own.counted.${newsletter.open_privacy}`)}</p>
      <p className="small">{t(`own.clicked.${newsletter.click_privacy}`)}</p>
      {shown.length === 0 ? <p className="small">{t('own.received.nothing')}</p> : null}
      <ul>
        {shown.map(({ publicationId, title, state, returned, at, openedAt, clicks }) => (
          <li key={publicationId}>
            <b>{holdMarks(title)}</b>
            <span className="small">
              {[
                t('own.received.on', {
                  date: dayIn(props, at),
                  state: t(`own.received.state.${returned && returned !== 'complaint' ? 'failed' : state}`),
                }),
                ...(openedAt ? [t('own.received.opened')] : []),
                ...(clicks ? [t('own.received.clicks', { count: clicks })] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {kept.deliveries.length > shown.length ? <p className="small">{t('own.received.more')}</p> : null}
    </section>
  )
}

/** The subscription goes to another address once that has confirmed. */
function Move({ language, moveNotice }: Pick<KeptProps, 'language' | 'moveNotice'>) {
  const t = translator(language)
  return (
    <section className="part" aria-labelledby="move">
      <h2 id="move">{t('own.move.title')}</h2>
      {moveNotice}
      <p className="small">{t('own.move.text')}</p>
      <form method="post" className="move">
        <EmailField language={language} label={t('own.move.label')} />
        <button type="submit" name="act" value="move" className="button button-outline full-width-on-phones">
          {t('own.move.button')}
        </button>
      </form>
    </section>
  )
}

function TakeAndErase({ language, token }: KeptProps) {
  const t = translator(language)
  return (
    <div className="two">
      <section className="part" aria-labelledby="take">
        <h2 id="take">{t('own.take.title')}</h2>
        <p className="small">{t('own.take.text')}</p>
        <Download token={token} name="data" label={t('own.take.button')} />
      </section>
      <section className="part" aria-labelledby="erase">
        <h2 id="erase">{t('own.erase.part')}</h2>
        <p className="small">{t('own.erase.partText')}</p>
        <form method="get">
          <input type="hidden" name="lang" value={language} />
          <button
            type="submit"
            name="ask"
            value="erase"
            className="button button-outline button-danger full-width-on-phones"
          >
            {t('own.erase.ask')}
          </button>
        </form>
      </section>
    </div>
  )
}
