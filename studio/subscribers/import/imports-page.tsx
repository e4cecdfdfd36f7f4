import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark, type StatusShape } from '../../ui/status-mark.tsx'
import { growth } from './counted.tsx'
import { FileStep } from './file-step.tsx'
import classes from './import.module.css'
import { importsQuery, isUnderWay, type ShownImport } from './queries.ts'
import { Steps } from './steps.tsx'

/** Where an import begins, those that are under way, and the last ones. */
export function ImportsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const imports = useQuery(importsQuery(id, may('subscribers.import')))
  if (!may('subscribers.import')) return <PageTitle title={t('imports.page')} lead={t('imports.notYours')} />
  return (
    <>
      <PageTitle title={t('imports.page')} lead={t('imports.lead')} />
      <Steps at="file" />
      <FileStep />
      <Section title={t('imports.last')}>
        <QueryContent query={imports}>
          {(rows) =>
            rows.length === 0 ? (
              <p className={classes.hint}>{t('imports.none')}</p>
            ) : (
              <ul className={classes.list}>
                {rows.map((one) => (
                  <Row key={one.id} one={one} />
                ))}
              </ul>
            )
          }
        </QueryContent>
      </Section>
    </>
  )
}

const shapes: Partial<Record<ShownImport['state'], StatusShape>> = {
  uploaded: 'scheduled',
  checked: 'scheduled',
  done: 'sent',
  refused: 'stopped',
  cancelled: 'stopped',
  taken_back: 'paused',
}

function Row({ one }: { one: ShownImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, progress, counts } = one
  return (
    <li>
      <Link to={`/subscribers/import/${one.id}`}>{one.fileName}</Link>
      <span>
        {state === 'done' &&
          counts &&
          `${t('imports.added', { count: growth(counts), n: format.number(growth(counts)) })} · `}
        {format.momentOfYear(one.finishedAt ?? one.createdAt)}
      </span>
      <StatusMark shape={shapes[state] ?? 'sending'}>{t(`imports.state.${state}`)}</StatusMark>
      {isUnderWay(one) && (
        <ProgressBar value={progress.done} of={progress.total} label={t(`imports.state.${state}`)} height={8} />
      )}
    </li>
  )
}
