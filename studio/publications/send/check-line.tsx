import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { fromPreFlight } from '../../shell/way-back.ts'
import { IconAlertTriangle, IconBan, IconCalendar, IconCheck, IconRefresh } from '../../ui/icons.ts'
import { atProblem, type ProblemPlace } from '../problem-place.ts'
import classes from './send.module.css'

const icons = { ok: IconCheck, warn: IconAlertTriangle, block: IconBan, wait: IconRefresh, later: IconCalendar }

interface LineProps {
  kind: keyof typeof icons
  title: string
  text?: string
  to?: string
  fixLabel?: string
  /** Where in the text the problem is, when `to` leads to the editor. */
  place?: ProblemPlace
  /** Shown also where only what asks for a look is. */
  stays?: boolean
  /** What was found, below the words. */
  children?: ReactNode
}

/** The result of one check: fine, a warning, blocking, still under way, or for later. It shows what that means and where to fix it. */
export function CheckLine({ kind, title, text, to, fixLabel, place, stays = false, children }: LineProps) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const Icon = icons[kind]
  return (
    <li data-kind={kind} data-stays={stays || undefined}>
      <span className={classes.icon} role="img" aria-label={t(`preFlight.kind.${kind}`)}>
        <Icon size={14} stroke={1.8} aria-hidden="true" />
      </span>
      <div>
        <b>{title}</b>
        {text && <small>{text}</small>}
      </div>
      {to &&
        (to.startsWith('#') ? (
          <Anchor href={to}>{fixLabel}</Anchor>
        ) : (
          <Anchor component={Link} to={to} state={{ ...fromPreFlight(pathname), ...(place && atProblem(place)) }}>
            {fixLabel}
          </Anchor>
        ))}
      {children && <div className={classes.below}>{children}</div>}
    </li>
  )
}
