import { useState } from 'react'
import { QueryContent } from '../ui/query-content.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { FirstDay } from './first-day.tsx'
import { Overview } from './overview.tsx'
import { type Dashboard, useDashboard } from './use-dashboard.ts'

const TWELVE_WEEKS = 12

/** What happened, what happens now, what to do next; and on the first day, what to do first. */
export function DashboardPage() {
  const [weeks, setWeeks] = useState(TWELVE_WEEKS)
  const figures = useDashboard(weeks)
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
