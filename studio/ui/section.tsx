import { type ReactNode, useId } from 'react'
import classes from './ui.module.css'

interface Props {
  title: ReactNode
  aside?: ReactNode
  children: ReactNode
  className?: string | undefined
}

/** A part of a page: a line, a heading, and the content below. */
export function Section({ title, aside, children, className }: Props) {
  const id = useId()
  return (
    <section className={`${classes.section} ${className ?? ''}`} aria-labelledby={id}>
      <div className={classes.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
