import { useQuery } from '@tanstack/react-query'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Dashboard, dashboardQuery } from '../queries.ts'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { FirstDay } from './first-day.tsx'
import { Overview } from './overview.tsx'
import { useRange } from './use-range.ts'

/** The dashboard: an overview, or the first steps while there is nothing to show yet. */
export function DashboardPage() {
  const newsletter = useNewsletter()
  const { choice, asked, choose } = useRange(newsletter.timezone)
  const figures = useQuery(dashboardQuery(newsletter.id, asked))
  return (
    <QueryContent query={figures} loading={<DashboardSkeleton />}>
      {(data) =>
        isFirstDay(data) ? (
          <FirstDay data={data} />
        ) : (
          <Overview data={data} choice={choice} asked={asked} onChoice={choose} />
        )
      }
    </QueryContent>
  )
}

/** True until there is a subscriber or a publication was sent: until then every figure would be zero. */
const isFirstDay = ({ subscribers, publications, running, growth }: Dashboard) =>
  publications.length === 0 &&
  running.length === 0 &&
  subscribers.active === 0 &&
  growth.every((day) => day.subscribers === 0)
