import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Counts, downloadImportReport, importLimits } from '../../../server/subscribers/import/contract.ts'
import { rowReasons } from '../../../server/subscribers/import/file/contract.ts'
import { addressOf } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './import.module.css'
import type { WholeImport } from './queries.ts'

const SHOWN = 10

type Reason = (typeof rowReasons)[number]
const isKnown = (reason: string): reason is Reason => rowReasons.some((known) => known === reason)

function useReasonSentence() {
  const { t } = useTranslation()
  return (reason: string) => (isKnown(reason) ? t(`imports.reason.${reason}`) : reason)
}

/** The first lines that were refused, left out or not kept whole, and the download of all of them. */
export function Report({ one }: { one: WholeImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const sentence = useReasonSentence()
  if (one.report.length === 0)
    return (
      <Section title={t('imports.report.title')}>
        <p className={classes.hint}>{t('imports.report.none')}</p>
      </Section>
    )
  const download = (
    <Anchor href={addressOf(downloadImportReport, { newsletterId: id, importId: one.id })} download>
      {t('imports.report.download')}
    </Anchor>
  )
  const remarks = Object.values(one.counts?.reasons ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <Section title={t('imports.report.title')} aside={download}>
      <table className={classes.report}>
        <thead>
          <tr>
            <th>{t('imports.report.line')}</th>
            <th>{t('imports.report.cell')}</th>
            <th>{t('imports.report.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {one.report.slice(0, SHOWN).map(({ line, reason, cell }) => (
            <tr key={line}>
              <td>{format.number(line)}</td>
              <td>{cell || '—'}</td>
              <td>{sentence(reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {remarks > importLimits.reported && (
        <p className={classes.hint}>{t('imports.report.limit', { n: format.number(importLimits.reported) })}</p>
      )}
    </Section>
  )
}

/** How many lines there are for each reason, the most frequent first. */
export function Reasons({ reasons }: { reasons: Counts['reasons'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useReasonSentence()
  const found = Object.entries(reasons).toSorted(([, one], [, other]) => other - one)
  if (found.length === 0) return null
  return (
    <Section title={t('imports.report.reasons')} className={classes.part}>
      <dl className={classes.reasons}>
        {found.map(([reason, count]) => (
          <div key={reason}>
            <dt>{sentence(reason)}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
