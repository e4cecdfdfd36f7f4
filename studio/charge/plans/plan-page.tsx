import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Nowhere, QueryContent } from '../../ui/query-content.tsx'
import { plansQuery } from '../queries.ts'
import { PlanEditor } from './plan-editor.tsx'

/** One plan, or a new one at `/charge/plans/new`. */
export function PlanPage() {
  const { t } = useTranslation()
  const { planId = '' } = useParams()
  const { id } = useNewsletter()
  const plans = useQuery(plansQuery(id))
  return (
    <QueryContent query={plans}>
      {({ plans: all }) => {
        const plan = all.find((one) => String(one.id) === planId) ?? null
        if (!plan && planId !== 'new')
          return <Nowhere list={{ to: studioPaths.chargePlans, label: t('shell.titles.plans') }} />
        return <PlanEditor key={planId} plan={plan} hasFree={all.some(({ kind }) => kind === 'free')} />
      }}
    </QueryContent>
  )
}
