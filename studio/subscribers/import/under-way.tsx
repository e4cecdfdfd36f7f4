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
import { Steps } from './steps.tsx'

interface Props {
  one: WholeImport
  state: 'checking' | 'importing' | 'finishing' | 'cancelling' | 'taking_back'
}

/** What the server is doing for an import, how far it is, and the button that stops it. */
export function UnderWay({ one, state }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const stop = useImportAct(cancelImport)
  const { done, total } = one.progress
  const stoppable = state === 'checking' || state === 'importing'
  const counted = (state === 'importing' || state === 'finishing') && total > 0
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
        <div role="status">
          <p className={classes.working}>
            <b>{t(`imports.working.${state}`)}</b>
            <span>
              {counted
                ? t('imports.lines', { done: format.number(done), total: format.number(total) })
                : total > 0 && format.percent(Math.min(1, done / total))}
            </span>
          </p>
          <ProgressBar value={Math.min(done, total)} of={total} label={t(`imports.working.${state}`)} height={22} />
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
