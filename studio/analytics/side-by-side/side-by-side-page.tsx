import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import { exportComparison } from '../../../server/analytics/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { addressOf } from '../../api.ts'
import { useMoney } from '../../charge/figures/use-money.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { HumanOfRaw } from '../../links/counts.tsx'
import { useNewsletter, useNewsletterChoice } from '../../shell/newsletter.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NewsletterInitial } from '../../ui/logo.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Difference } from '../dashboard/difference.tsx'
import { RangeControl } from '../dashboard/range-control.tsx'
import { useRange } from '../dashboard/use-range.ts'
import { type Compared, comparedQuery } from '../queries.ts'
import classes from './side-by-side.module.css'

/** The newsletters of whoever is signed in, with the figures of the same days beside each other. */
export function SideBySidePage() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { timezone } = useNewsletter()
  const { choice, asked, choose } = useRange(timezone)
  const query = useQuery(comparedQuery(asked))
  return (
    <>
      <PageTitle title={t('shell.titles.sideBySide')} lead={t('dashboard.sideBySide.lead')} />
      <div className={classes.controls}>
        <RangeControl choice={choice} shown={longest(query.data?.newsletters ?? [])} onChoice={choose} />
        <DownloadLink
          href={addressOf(exportComparison, {}, { ...asked, sheet })}
          label={t('ui.downloadChart', { chart: t('shell.titles.sideBySide') })}
        />
      </div>
      <QueryContent query={query}>
        {({ newsletters }) =>
          newsletters.length > 0 ? (
            <Newsletters newsletters={newsletters} />
          ) : (
            <EmptyState title={t('dashboard.sideBySide.none')}>{t('dashboard.sideBySide.noneText')}</EmptyState>
          )
        }
      </QueryContent>
    </>
  )
}

/** The range that begins first. */
const longest = (newsletters: Compared[]): Compared['range'] | undefined =>
  newsletters.map(({ range }) => range).toSorted((one, other) => one.from.localeCompare(other.from))[0]

const comparedColumns = ['joined', 'departed', 'sent', 'opens', 'humanClicks', 'unsubs'] as const
const columns = ['subscribers', ...comparedColumns, 'revenue'] as const
type Column = (typeof columns)[number]

function Newsletters({ newsletters }: { newsletters: Compared[] }) {
  const { t } = useTranslation()
  return (
    <div className={classes.table}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('dashboard.sideBySide.newsletter')}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right">
                {t(`dashboard.sideBySide.column.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newsletters.map((newsletter) => (
            <Row key={newsletter.id} of={newsletter} />
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.note}>{t('dashboard.sideBySide.note')}</p>
    </div>
  )
}

function Row({ of: newsletter }: { of: Compared }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { choose } = useNewsletterChoice()
  const { id, name, accent, role, active, figures, figuresBefore, before, revenue } = newsletter
  const counts = (of: (figures: Compared['figures']) => number) =>
    ({ now: of(figures), was: figuresBefore ? of(figuresBefore) : null, of: 'counts' }) as const
  const rates = (of: (figures: Compared['figures']) => number | null) =>
    ({ now: shareOf(figures, of), was: shareOf(figuresBefore, of), of: 'rates' }) as const
  const compared = {
    joined: counts(({ joined }) => joined),
    departed: counts(({ departed }) => departed),
    sent: counts(({ publications }) => publications),
    opens: rates(({ opens }) => opens),
    humanClicks: rates(({ clicks }) => clicks.people),
    unsubs: rates(({ unsubscribes }) => unsubscribes),
  }
  const label = (column: Column) => ({ 'data-right': true, 'data-column': t(`dashboard.sideBySide.column.${column}`) })
  return (
    <Table.Tr>
      <Table.Td>
        <span className={classes.name}>
          <NewsletterInitial name={name} accent={accent} />
          <span>
            <Link to={studioPaths.dashboard} onClick={() => choose(id)}>
              {holdMarks(name)}
            </Link>
            <small>{t(`ui.role.${role}`)}</small>
          </span>
        </span>
      </Table.Td>
      <Table.Td {...label('subscribers')}>{format.number(active)}</Table.Td>
      {comparedColumns.map((column) => {
        const { now, was, of } = compared[column]
        const unknown = unknownOf(column, figures)
        return (
          <Table.Td key={column} {...label(column)}>
            {of === 'rates' ? format.rate(now) : format.number(now)}
            {column === 'humanClicks' && <HumanOfRaw clicks={figures.clicks} />}
            {before && <small>{unknown ? t(unknown) : <Difference now={now} before={was} of={of} />}</small>}
          </Table.Td>
        )
      })}
      <Table.Td {...label('revenue')}>
        <Revenue sums={revenue} />
      </Table.Td>
    </Table.Tr>
  )
}

/** What is said of a figure that the newsletter has not kept all along. */
function unknownOf(column: Column, { opens, clicks }: Compared['figures']) {
  if (column === 'opens' && opens === null) return 'ui.opensNotKept'
  return column === 'humanClicks' && clicks.people === null ? 'ui.clicks.notKept' : null
}

function shareOf(figures: Compared['figuresBefore'], of: (figures: Compared['figures']) => number | null) {
  const part = figures && of(figures)
  return figures && part !== null && figures.accepted > 0 ? part / figures.accepted : null
}

function Revenue({ sums }: { sums: Compared['revenue'] }) {
  if (!sums || sums.length === 0) return '—'
  return sums.map((sum) => <Sum key={sum.currency} {...sum} />)
}

function Sum({ currency, net }: { currency: string; net: number }) {
  const money = useMoney(currency)
  return <span className={classes.sum}>{money.sum(net)}</span>
}
