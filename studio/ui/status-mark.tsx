import type { ReactNode } from 'react'
import classes from './ui.module.css'

/** The shape of a state. `draft` is a ring, `scheduled` a half-moon, `sending` bars, `sent` a disc, `paused` a square, `stopped` a lozenge. */
export type StatusShape = 'draft' | 'scheduled' | 'sending' | 'sent' | 'paused' | 'stopped'

/** A state as a shape and a word, since colour alone is not accessible. */
export function StatusMark({ shape, children }: { shape: StatusShape; children: ReactNode }) {
  return (
    <span className={classes.status} data-shape={shape}>
      {children}
    </span>
  )
}

/** A green disc and a word, for figures that are updated live. */
export function LiveMark({ children }: { children: ReactNode }) {
  return <span className={classes.live}>{children}</span>
}
