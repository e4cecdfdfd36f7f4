import { type ReactNode, useId } from 'react'
import classes from './ui.module.css'

interface Props {
  title: ReactNode
  aside?: ReactNode
  /** What it is for, in a sentence. Such a part is as narrow as a form. */
  lead?: string
  children: ReactNode
  className?: string | undefined
}

/** A part of a page: a line, a heading, and the content below. */
export function Section({ title, aside, lead, children, className }: Props) {
  const id = useId()
  return (
    <section className={`${classes.section} ${lead ? classes.ledSection : ''} ${className ?? ''}`} aria-labelledby={id}>
      <div className={classes.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  )
}
