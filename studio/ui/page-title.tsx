import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ui.module.css'

/** The title of a page, a figure beside it, a sentence below it, and its actions at the right. */
export function PageTitle(props: { title: ReactNode; figure?: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className={classes.pageTitle}>
      <div>
        <Title order={1}>
          {props.title} {props.figure !== undefined && <span className={classes.besideTitle}>{props.figure}</span>}
        </Title>
        {props.lead && <p className={classes.lead}>{props.lead}</p>}
      </div>
      {props.children && <div className={classes.actions}>{props.children}</div>}
    </header>
  )
}
