import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useMoney } from '../../charge/figures/use-money.ts'
import { useFormat } from '../../format.ts'
import { Counts } from '../../links/counts.tsx'
import { linkPath } from '../../links/queries.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { useSourceName } from '../../subscribers/use-source-name.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { type AskedRange, type Highlights, highlightsQuery } from '../queries.ts'
import { ChartFile } from './chart-file.tsx'
import { Difference } from './difference.tsx'
import classes from './highlights.module.css'
import { Sparkline } from './sparkline.tsx'

/** The best links and sources of the range. */
export function BestLinksAndSources({ asked }: { asked: AskedRange }) {
  const { t } = useTranslation()
  const sourceName = useSourceName()
  const { id, clickPrivacy } = useNewsletter()
  const query = useQuery(highlightsQuery(id, asked))
  return (
    <QueryContent query={query}>
      {({ links, sources }) => (
        <div className={classes.beside}>
          {links && (
            <Section
              className={classes.part}
              title={t('dashboard.charts.links')}
              aside={<ChartFile chart="links" asked={asked} />}
            >
              <Ranked
                none={t(clickPrivacy === 'off' ? 'dashboard.linksOff' : 'dashboard.noLinks')}
                rows={links.map(({ id: linkId, name, target, publication, raw, human, before }) => ({
                  key: linkId,
                  name: <Link to={linkPath(linkId)}>{name || withoutScheme(target)}</Link>,
                  note: publication && shownTitle(publication.title, t),
                  value: human,
                  before: before?.human ?? null,
                  shown: <Counts clicks={{ raw, human }} />,
                }))}
              />
            </Section>
          )}
          <Section
            className={classes.part}
            title={t('dashboard.charts.sources')}
            aside={<ChartFile chart="sources" asked={asked} />}
          >
            <Ranked
              none={t('dashboard.noSources')}
              rows={sources.map(({ source, joined, joinedBefore }) => ({
                key: source,
                name: (
                  <Link to={`${studioPaths.subscribers}?source=${encodeURIComponent(source)}`}>
                    {sourceName(source)}
                  </Link>
                ),
                note: null,
                value: joined,
                before: joinedBefore,
              }))}
            />
          </Section>
        </div>
      )}
    </QueryContent>
  )
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

interface Row {
  key: string
  name: ReactNode
  note: string | null
  value: number
  /** The value in the range before; null when there is none. */
  before: number | null
  /** What stands beside the name, where it is more than the value. */
  shown?: ReactNode
}

function Ranked({ rows, none }: { rows: Row[]; none: string }) {
  const format = useFormat()
  const most = Math.max(1, ...rows.map(({ value }) => value))
  if (rows.length === 0) return <p className={classes.none}>{none}</p>
  return (
    <ol className={classes.ranked}>
      {rows.map(({ key, name, note, value, before, shown }) => (
        <li key={key}>
          <span className={classes.name}>
            {name}
            {note && <small>{note}</small>}
            {before !== null && (
              <small>
                <Difference now={value} before={before} of="counts" />
              </small>
            )}
          </span>
          {shown ?? <b>{format.number(value)}</b>}
          <i style={{ width: `${(value / most) * 100}%` }} aria-hidden="true" />
        </li>
      ))}
    </ol>
  )
}

/** What came in, by what it came from. Nothing is drawn where nothing was ever sold. */
export function Revenue({ asked }: { asked: AskedRange }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data } = useQuery(highlightsQuery(id, asked))
  if (!data || (!data.subscriptions && !data.bookings)) return null
  const { subscriptions, bookings, before } = data
  const isCompared = before !== null
  const kinds = { subscriptions, bookings }
  const shares = (['subscriptions', 'bookings'] as const).map((kind) => ({
    kind,
    net: kinds[kind]?.now[0]?.net ?? 0,
  }))
  // Sums of several currencies have no shares.
  const isShared =
    shares.every(({ net }) => net > 0) &&
    new Set([...(subscriptions?.now ?? []), ...(bookings?.now ?? [])].map(({ currency }) => currency)).size === 1
  return (
    <Section title={t('dashboard.charts.revenue')} aside={<ChartFile chart="revenue" asked={asked} />}>
      {isShared && (
        <div className={classes.shares} aria-hidden="true">
          {shares.map(({ kind, net }) => (
            <i key={kind} data-kind={kind} style={{ flexGrow: net }} />
          ))}
        </div>
      )}
      <dl className={classes.revenue} data-shared={isShared || undefined}>
        {subscriptions && (
          <Income kind="subscriptions" to={studioPaths.chargeFigures} income={subscriptions} compared={isCompared} />
        )}
        {bookings && <Income kind="bookings" to={studioPaths.calendar} income={bookings} compared={isCompared} />}
      </dl>
      <p className={classes.none}>{t('dashboard.revenueNote')}</p>
    </Section>
  )
}

type Money = NonNullable<Highlights['subscriptions']>['now'][number]

interface IncomeProps {
  kind: 'subscriptions' | 'bookings'
  to: string
  income: NonNullable<Highlights['subscriptions'] | Highlights['bookings']>
  compared: boolean
}

function Income({ kind, to, income: { now, before, parts }, compared }: IncomeProps) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const currencies = [...new Set([...now, ...before].map(({ currency }) => currency))]
  const of = (sums: (Money & { booked?: number })[], currency: string) =>
    sums.find((sum) => sum.currency === currency) ?? { net: 0, booked: 0 }
  return (
    <div data-kind={kind}>
      <dt>
        <Link to={to}>{t(`dashboard.income.${kind}`)}</Link>
      </dt>
      {(currencies.length > 0 ? currencies : [newsletter.currency]).map((currency) => (
        <Sum
          key={currency}
          currency={currency}
          now={of(now, currency).net}
          before={compared ? of(before, currency).net : null}
          booked={of(now, currency).booked ?? 0}
          parts={parts.find((part) => part.currency === currency)?.nets ?? []}
        />
      ))}
    </div>
  )
}

interface SumProps {
  currency: string
  now: number
  before: number | null
  booked: number
  parts: number[]
}

function Sum({ currency, now, before, booked, parts }: SumProps) {
  const { t } = useTranslation()
  const money = useMoney(currency)
  const way = before === null || now === before ? 'same' : now > before ? 'more' : 'less'
  return (
    <dd>
      <b>{money.sum(now)}</b>
      <Sparkline values={parts} />
      {before !== null && (
        <small>
          {t(`dashboard.before.sums.${way}`, { value: money.sum(before), n: money.sum(Math.abs(now - before)) })}
        </small>
      )}
      {booked > 0 && <small>{t('dashboard.booked', { sum: money.sum(booked) })}</small>}
    </dd>
  )
}
