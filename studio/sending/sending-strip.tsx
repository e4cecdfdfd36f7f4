import { useTranslation } from 'react-i18next'
import type { RunningResult } from '../analytics/queries.ts'
import { useFormat } from '../format.ts'
import { ProgressBar, type ProgressState } from '../ui/progress-bar.tsx'
import { finishedCount, lostCount } from './delivery-states.ts'

type Of = Pick<RunningResult, 'status' | 'stoppedBy'>
type Counts = RunningResult['counts'] | undefined

interface Props {
  of: Of
  counts: Counts
  label: string
  height?: number
}

/** How a delivery ends that nobody got, or that may not have left. */
const endedElse = ['failed', 'suppressed', 'uncertain'] as const

/** How far a sending is, and in other colours what of it was not taken. What was cancelled stays empty. */
export function SendingStrip({ of, counts, label, height }: Props) {
  return (
    <ProgressBar
      value={doneCount(of, counts)}
      of={counts?.intended ?? 0}
      label={label}
      state={stripState(of)}
      parts={endedElse.map((kind) => ({
        kind,
        n: of.status === 'cancelled' && kind === 'suppressed' ? 0 : (counts?.[kind] ?? 0),
      }))}
      {...(height && { height })}
    />
  )
}

/** What was left out of a cancelled sending was cancelled, but for a few. */
const cancelledCount = ({ status }: Of, counts: Counts): number =>
  status === 'cancelled' && counts ? counts.suppressed : 0

/** How many copies have ended, those aside that were cancelled. */
export const doneCount = (of: Of, counts: Counts): number => finishedCount(counts) - cancelledCount(of, counts)

/** One that stopped by itself looks different from one that somebody paused. */
export function stripState({ status, stoppedBy }: Of): ProgressState {
  if (status === 'sent') return 'sent'
  if (status === 'cancelled' || stoppedBy) return 'stopped'
  return status === 'paused' ? 'paused' : 'sending'
}

/** Says how many of the copies that have ended were not taken; nothing when all were. */
export function useLost(): (of: Of, counts: Counts) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (of, counts) => {
    const count = lostCount(counts) - cancelledCount(of, counts)
    return count > 0 ? t('publish.press.lost', { count, n: format.number(count) }) : ''
  }
}
