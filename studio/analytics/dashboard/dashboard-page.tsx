import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Dashboard, dashboardQuery } from '../queries.ts'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { FirstDay } from './first-day.tsx'
import { Overview } from './overview.tsx'

const TWELVE_WEEKS = 12

/** What happened, what happens now, what to do next; and on the first day, what to do first. */
export function DashboardPage() {
  const [weeks, setWeeks] = useState(TWELVE_WEEKS)
  const newsletter = useNewsletter()
  const figures = useQuery(dashboardQuery(newsletter.id, weeks))
  return (
    <QueryContent query={figures} loading={<DashboardSkeleton />}>
      {(data) =>
        isFirstDay(data) ? <FirstDay data={data} /> : <Overview data={data} weeks={weeks} onWeeks={setWeeks} />
      }
    </QueryContent>
  )
}

/** Until somebody reads and something went out, figures would only show emptiness. */
const isFirstDay = ({ subscribers, publications, running, growth }: Dashboard) =>
  publications.length === 0 &&
  running.length === 0 &&
  subscribers.active === 0 &&
  growth.every((day) => day.subscribers === 0)
