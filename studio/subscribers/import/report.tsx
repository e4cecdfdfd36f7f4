import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { downloadImportReport, importLimits } from '../../../server/subscribers/import/contract.ts'
import { rowReasons } from '../../../server/subscribers/import/file/contract.ts'
import { addressOf } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './import.module.css'
import type { WholeImport } from './queries.ts'

type Reason = (typeof rowReasons)[number]
const isKnown = (reason: string): reason is Reason => rowReasons.some((known) => known === reason)

function useReasonSentence() {
  const { t } = useTranslation()
  return (reason: string) => (isKnown(reason) ? t(`imports.reason.${reason}`) : reason)
}

/** Why lines were refused, left out or not kept whole: each reason with its first lines, the most frequent first, and the download of all. */
export function Report({ one }: { one: WholeImport }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const format = useFormat()
  const { id } = useNewsletter()
  if (one.report.length === 0)
    return (
      <Section title={t('imports.report.title')}>
        <p className={classes.hint}>{t('imports.report.none')}</p>
      </Section>
    )
  const download = (
    <Anchor href={addressOf(downloadImportReport, { newsletterId: id, importId: one.id }, { sheet })} download>
      {t('imports.report.download')}
    </Anchor>
  )
  const reasons = Object.entries(one.counts?.reasons ?? {}).toSorted(([, one], [, other]) => other - one)
  const remarks = reasons.reduce((sum, [, count]) => sum + count, 0)
  return (
    <Section title={t('imports.report.title')} aside={download}>
      <table className={classes.report}>
        <thead>
          <tr>
            <th>{t('imports.report.line')}</th>
            <th>{t('imports.report.cell')}</th>
          </tr>
        </thead>
        {reasons.map(([reason, count]) => (
          <ReasonRows
            key={reason}
            reason={reason}
            count={count}
            rows={one.report.filter((row) => row.reason === reason)}
          />
        ))}
      </table>
      {remarks > importLimits.reported && (
        <p className={classes.hint}>{t('imports.report.limit', { n: format.number(importLimits.reported) })}</p>
      )}
    </Section>
  )
}

interface ReasonRowsProps {
  reason: string
  count: number
  rows: WholeImport['report']
}

function ReasonRows({ reason, count, rows }: ReasonRowsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useReasonSentence()
  const more = count - rows.length
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2}>
          {sentence(reason)} <small>{t('imports.report.lines', { count, n: format.number(count) })}</small>
        </th>
      </tr>
      {rows.map(({ line, cell }) => (
        <tr key={line}>
          <td>{format.number(line)}</td>
          <td>{cell || '—'}</td>
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td />
          <td>{t('imports.report.more', { count: more, n: format.number(more) })}</td>
        </tr>
      )}
    </tbody>
  )
}
