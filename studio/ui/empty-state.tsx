import type { ReactNode } from 'react'
import classes from './ui.module.css'

interface Props {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** It is all of the page, which has no other title. */
  isPage?: boolean
}

/** An empty list: a drawing, a sentence about what will be here, one about how, and an action. */
export function EmptyState(props: Props) {
  const Heading = props.isPage ? 'h1' : 'strong'
  return (
    <div className={classes.empty}>
      <svg width="150" height="120" viewBox="0 0 150 120" fill="none" stroke="var(--tirage-field)" aria-hidden="true">
        <rect x="37" y="14" width="76" height="92" fill="var(--tirage-surface)" stroke="var(--tirage-line2)" />
        <path d="M22 14h10M118 14h10M22 106h10M118 106h10M37 0v9M113 0v9M37 111v9M113 111v9" />
        <path d="M47 28h40" stroke="var(--tirage-ink)" strokeWidth="2" />
        <path d="M47 40h56M47 47h56M47 54h38" stroke="var(--tirage-line2)" strokeDasharray="3 3" />
        <path d="M90 26.5v4" stroke="var(--tirage-blue)" strokeWidth="2" />
      </svg>
      <Heading>{props.title}</Heading>
      {props.children && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}
