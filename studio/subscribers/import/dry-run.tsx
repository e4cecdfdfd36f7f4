import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cancelImport, startImport } from '../../../server/subscribers/import/contract.ts'
import { readableList } from '../../domains/readable-list.ts'
import { useFormat } from '../../format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Counted, growth } from './counted.tsx'
import classes from './import.module.css'
import { useImportAct, type WholeImport } from './queries.ts'
import { ReceiptPreview } from './receipt-preview.tsx'
import { Report } from './report.tsx'
import { OUTCOME, Steps } from './steps.tsx'

/** What the dry run found, and the buttons that import it, go back to the columns, or discard it. */
export function DryRun({ one, onBack }: { one: WholeImport; onBack: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const start = useImportAct(startImport)
  const cancel = useImportAct(cancelImport)
  if (!one.counts) return null
  const { counts } = one
  const people = counts.added + counts.here + counts.keptAway
  return (
    <>
      <PageTitle title={t('imports.page')} figure={one.fileName} />
      <Steps at="check" />
      <div className={classes.columns}>
        <div>
          <div id={OUTCOME} tabIndex={-1} className={classes.summary} role="status">
            <strong>{format.number(growth(counts))}</strong>
            <p>
              {t('imports.check.would', { count: growth(counts) })} <b>{t('imports.check.unchanged')}</b>
              <small>
                {t('imports.count.rows', { count: counts.rows, n: format.number(counts.rows) })}.{' '}
                {one.choices?.dayOrder && t(`imports.check.days.${one.choices.dayOrder}`)}
              </small>
            </p>
          </div>
          <Counted counts={counts} />
          <Report one={one} />
          <Skipped one={one} />
          <ErrorNotice error={start.error ?? cancel.error} />
          <div className={classes.acts}>
            <Button
              variant="filled"
              color="encre"
              size="md"
              disabled={people === 0}
              loading={start.isPending}
              onClick={() => start.mutate(one.id)}
            >
              {t('imports.check.import', { count: people, n: format.number(people) })}
            </Button>
            <Button size="md" onClick={onBack}>
              {t('imports.check.back')}
            </Button>
            <Button size="md" variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
              {t('imports.file.discard')}
            </Button>
          </div>
          <p className={classes.hint}>
            {t('imports.check.takeBack')} {t('imports.check.mail')} {t('imports.file.waits')}
          </p>
        </div>
        <aside>
          <ReceiptPreview one={one} />
        </aside>
      </div>
    </>
  )
}

/** The columns with something in them of which nothing is kept. */
function Skipped({ one: { sheet, choices } }: { one: WholeImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const names = (sheet?.columns ?? []).flatMap(({ name, filled }, at) =>
    filled > 0 && choices?.targets[at]?.to === 'skip' ? [name || t('imports.columns.unnamed', { n: at + 1 })] : [],
  )
  if (names.length === 0) return null
  return (
    <p className={classes.hint}>
      {t('imports.check.skipped', { count: names.length, names: readableList(format.locale, names) })}
    </p>
  )
}
