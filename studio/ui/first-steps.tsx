import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import { toBegin } from '../shell/way-back.ts'
import classes from './first-steps.module.css'
import { Section } from './section.tsx'

export interface FirstStep {
  title: string
  text: string
  /** Undefined: nothing says whether it was done, and it does not count. */
  done?: boolean
  /** What leads there; shown until it is done. */
  way?: ReactNode
}

/** The first steps of a product: what is done, and what comes next. Nothing is drawn once all that count are done. */
export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const counted = steps.filter(({ done }) => done !== undefined)
  const count = counted.filter(({ done }) => done).length
  if (count === counted.length) return null
  return (
    <Section
      title={t('shell.steps.title')}
      aside={
        <span className={classes.count}>
          {t('shell.steps.of', { done: format.number(count), all: format.number(counted.length) })}
        </span>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ title, text, done, way }) => (
          <li key={title} data-done={done || undefined} data-uncounted={done === undefined || undefined}>
            <h3>
              {title} {done && <small>{t('shell.steps.done')}</small>}
            </h3>
            <p>{text}</p>
            {way}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** What leads to a step on another page of the owner app. `begins`: with the dialog of that page open. */
export const Way = ({ to, begins = false, children }: { to: string; begins?: boolean; children: string }) => (
  <Anchor component={Link} to={to} {...(begins && { state: toBegin })}>
    {children}
  </Anchor>
)
