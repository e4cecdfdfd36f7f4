import type { ReactNode } from 'react'
import classes from './ui.module.css'

/** A ring is a draft, a half-moon is scheduled, bars print, a disc is done, a square waits, a lozenge stopped. */
export type StatusShape = 'draft' | 'scheduled' | 'sending' | 'sent' | 'paused' | 'stopped'

/** A state as a shape and a word: never colour alone. */
export function StatusMark({ shape, children }: { shape: StatusShape; children: ReactNode }) {
  return (
    <span className={classes.status} data-shape={shape}>
      {children}
    </span>
  )
}

/** A green disc and a word: this figure follows what happens. */
export function LiveMark({ children }: { children: ReactNode }) {
  return <span className={classes.live}>{children}</span>
}
