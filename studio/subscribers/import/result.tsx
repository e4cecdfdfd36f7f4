import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TakenBack } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconArrowBackUp } from '../../ui/icons.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { Counted, growth } from './counted.tsx'
import classes from './import.module.css'
import { takeBackQuery, type WholeImport } from './queries.ts'
import { ReceiptPreview } from './receipt-preview.tsx'
import { Report } from './report.tsx'
import { OUTCOME, Steps } from './steps.tsx'
import { TakeBackDialog } from './take-back-dialog.tsx'

/** Whether nobody would go with an import, also not whoever the file says has left. Null: they are too many to be looked at. */
const isForNobody = (preview: TakenBack | null): boolean =>
  preview !== null && preview.removed + (preview.stayed.left ?? 0) === 0

/** What came of an import, its report, and the button that takes it back while that is possible. */
export function Result({ one }: { one: WholeImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, ask] = useDisclosure(false)
  const { id } = useNewsletter()
  const { counts, takeBackUntil } = one
  const possible = takeBackUntil !== null && new Date(takeBackUntil) > new Date()
  const preview = useQuery(takeBackQuery(id, one.id, possible))
  if (!counts) return null
  const someWouldGo = preview.isSuccess && !isForNobody(preview.data)
  return (
    <>
      <PageTitle title={t('imports.done.title', { date: format.dayOfYear(one.finishedAt) })} figure={one.fileName}>
        {possible && (
          <Button c="var(--tirage-red)" leftSection={<IconArrowBackUp size={15} stroke={1.6} />} onClick={ask.open}>
            {t('imports.done.takeBack')}
          </Button>
        )}
      </PageTitle>
      <Steps at="import" />
      <div className={classes.columns}>
        <div>
          <div id={OUTCOME} tabIndex={-1} className={classes.summary} role="status">
            <strong>{format.number(growth(counts))}</strong>
            <p>
              {t('imports.done.joined', { count: growth(counts) })} {t('imports.done.noMail')}
              <small>
                {t('imports.count.rows', { count: counts.rows, n: format.number(counts.rows) })}.{' '}
                {possible && someWouldGo && t('imports.done.until', { date: format.momentOfYear(takeBackUntil) })}
              </small>
            </p>
          </div>
          <Counted counts={counts} />
          <Report one={one} />
          <div className={classes.acts}>
            <Button component={Link} to="/subscribers">
              {t('imports.done.everybody')}
            </Button>
            <Button component={Link} to="/subscribers/import">
              {t('imports.done.another')}
            </Button>
          </div>
        </div>
        <aside>
          <ReceiptPreview one={one} />
        </aside>
      </div>
      <TakeBackDialog one={one} opened={asking} onClose={ask.close} />
    </>
  )
}
