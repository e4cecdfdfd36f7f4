import classes from './ui.module.css'

export type ProgressState = 'sending' | 'paused' | 'stopped' | 'sent'

/** What ended in another way than it should have. */
interface ProgressPart {
  kind: 'failed' | 'suppressed' | 'uncertain'
  n: number
}

interface Props {
  /** How many are done, and how many there are. */
  value: number
  of: number
  label: string
  state?: ProgressState
  height?: number
  /** Of those that are done: they are the last ticks, at least one for each kind. */
  parts?: ProgressPart[]
}

/** Progress as a row of ticks with a marker at the end of the done ones. */
export function ProgressBar({ value, of, label, state = 'sending', height = 14, parts = [] }: Props) {
  const percent = of > 0 ? Math.min(100, (100 * value) / of) : 0
  return (
    <div
      className={classes.progressBar}
      data-state={state}
      data-full={percent === 100 || undefined}
      style={{ '--p': percent, height }}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={value}
      aria-label={label}
    >
      <span>
        {parts.map(
          ({ kind, n }) => n > 0 && <i key={kind} data-part={kind} style={{ '--part': `${(100 * n) / value}%` }} />,
        )}
      </span>
    </div>
  )
}
