import { Title } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import classes from './ui.module.css'

/** Hears the name of the one thing that the open page shows, such as a subscriber or a link, and null when it is left. */
export const NameOfPage = createContext<(name: string | null) => void>(() => {})

interface Props {
  title: ReactNode
  figure?: ReactNode
  lead?: ReactNode
  children?: ReactNode
  /** Whether the page shows one thing of many, whose name the title is. The path above it and the tab of the browser have it too. */
  isName?: boolean
}

/** The title of a page, a figure beside it, a sentence below it, and its actions at the right. */
export function PageTitle({ title, figure, lead, children, isName = false }: Props) {
  const setName = useContext(NameOfPage)
  const name = isName && typeof title === 'string' ? title : null
  useEffect(() => {
    setName(name)
    return () => setName(null)
  }, [name, setName])
  return (
    <header className={classes.pageTitle}>
      <div>
        <Title order={1}>
          {title} {figure !== undefined && <span className={classes.besideTitle}>{figure}</span>}
        </Title>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </header>
  )
}
