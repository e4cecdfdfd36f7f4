import classes from './ui.module.css'

export type ProgressState = 'sending' | 'paused' | 'stopped' | 'sent'

interface Props {
  /** Copies done, and copies in all. */
  value: number
  of: number
  label: string
  state?: ProgressState
  height?: number
}

/** Progress as a strip of ticks with a head: the press. */
export function ProgressBar({ value, of, label, state = 'sending', height = 14 }: Props) {
  const percent = of > 0 ? Math.min(100, (100 * value) / of) : 0
  return (
    <div
      className={classes.progressBar}
      data-state={state}
      data-full={percent === 100 || undefined}
      style={{ '--p': percent, height } as React.CSSProperties}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={value}
      aria-label={label}
    />
  )
}
