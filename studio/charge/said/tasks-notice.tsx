import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import classes from '../charge.module.css'
import { tasksQuery } from './queries.ts'

const shapes = {
  failures: 'paused',
  testFailures: 'paused',
  events: 'stopped',
  nameless: 'stopped',
  stopped: 'stopped',
} as const
const kinds = ['stopped', 'failures', 'testFailures', 'events', 'nameless'] as const

/** On the first page of Charge: what of Stripe needs a member's eye. Nothing is drawn when nothing does. */
export function TasksNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const { data } = useQuery(tasksQuery(id))
  const open = kinds.flatMap((kind) => {
    const count = (data?.[kind] ?? 0) - (kind === 'failures' ? (data?.testFailures ?? 0) : 0)
    return count > 0 ? [{ kind, count }] : []
  })
  if (open.length === 0) return null
  return (
    <Section
      title={t('said.task.title')}
      className={classes.alert}
      aside={<Link to={studioPaths.chargeSaid}>{t('said.task.look')}</Link>}
    >
      <ul className={classes.tasks}>
        {open.map(({ kind, count }) => (
          <li key={kind}>
            <StatusMark shape={shapes[kind]}>{t(`said.task.${kind}`, { count, n: format.number(count) })}</StatusMark>
          </li>
        ))}
      </ul>
    </Section>
  )
}
