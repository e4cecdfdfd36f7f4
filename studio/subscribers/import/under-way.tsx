import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cancelImport } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import classes from './import.module.css'
import { useImportAct, type WholeImport } from './queries.ts'
import { ReceiptPreview } from './receipt-preview.tsx'
import { OUTCOME, Steps } from './steps.tsx'

interface Props {
  one: WholeImport
  state: 'checking' | 'importing' | 'finishing' | 'cancelling' | 'taking_back'
}

/** What the server is doing for an import, how far it is, and the button that stops it. */
export function UnderWay({ one, state }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const stop = useImportAct(cancelImport)
  const { total } = one.progress
  const done = Math.min(one.progress.done, total)
  const stoppable = state === 'checking' || state === 'importing'
  const rows = state === 'importing' || state === 'finishing' ? one.counts?.rows : undefined
  // The server counts the lines of the file: its header is none of those in the result, and one of these may be several of the file.
  const far =
    rows === undefined
      ? format.percent(done / total)
      : t('imports.lines', { done: format.number(Math.round((done / total) * rows)), total: format.number(rows) })
  return (
    <>
      <PageTitle title={t('imports.page')} figure={one.fileName}>
        {stoppable && (
          <Button loading={stop.isPending} onClick={() => stop.mutate(one.id)}>
            {t('imports.stop')}
          </Button>
        )}
      </PageTitle>
      <Steps at={state === 'checking' ? 'check' : 'import'} />
      <ErrorNotice error={stop.error} />
      <div className={classes.columns}>
        <div id={OUTCOME} tabIndex={-1} role="status">
          <p className={classes.working}>
            <b>{t(`imports.working.${state}`)}</b>
            <span>{total > 0 && far}</span>
          </p>
          <ProgressBar value={done} of={total} label={t(`imports.working.${state}`)} height={22} />
          <p className={classes.hint}>
            {t('imports.closable')} {state === 'importing' && t('imports.stopText')}
            {state === 'finishing' && t('imports.finishingText')}
          </p>
        </div>
        <aside>
          <ReceiptPreview one={one} />
        </aside>
      </div>
    </>
  )
}
