import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Event, retryEvent } from '../../../server/charge/payment-events/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { eventsQuery, saidKey } from './queries.ts'

/** What Stripe said and could not be applied: why, and what to do. */
export function EventsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const events = useQuery(eventsQuery(id))
  const retry = useMutation({
    mutationFn: (eventId: string) => call(retryEvent, { params: { newsletterId: id, eventId } }),
    onSuccess: () => notifications.show({ message: t('said.events.retried') }),
    onSettled: () => queries.invalidateQueries({ queryKey: saidKey(id) }),
  })
  return (
    <Section title={t('said.events.title')}>
      <ErrorNotice error={retry.error} />
      <QueryContent query={events}>
        {({ problems, waiting }) => (
          <>
            {problems.length === 0 ? (
              <p className={classes.quiet}>{t('said.events.none')}</p>
            ) : (
              <Table
                rows={problems}
                retry={may('charge.write') ? retry.mutate : null}
                busy={retry.isPending ? retry.variables : null}
              />
            )}
            {waiting > 0 && (
              <p className={classes.small}>{t('said.events.waiting', { count: waiting, n: format.number(waiting) })}</p>
            )}
          </>
        )}
      </QueryContent>
    </Section>
  )
}

interface Props {
  rows: Event[]
  retry: ((eventId: string) => void) | null
  busy: string | null
}

function Table({ rows, retry, busy }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('said.events.about')}</th>
            <th>{t('said.events.why')}</th>
            <th data-right>{t('said.events.came')}</th>
            {retry && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((event) => (
            <tr key={event.id}>
              <td className={classes.mark}>
                <code>{event.type}</code>
                <small>{event.objectId}</small>
              </td>
              <td className={classes.reason}>
                {t(`said.events.problem.${event.problem}`)}
                {event.dueAt && <small>{t('said.events.dueAt', { when: format.moment(event.dueAt) })}</small>}
                {!event.applied && !event.mayRetry && <small>{t('said.events.forgotten')}</small>}
              </td>
              <td data-column={t('said.events.came')} data-right>
                {format.moment(event.receivedAt)}
              </td>
              {retry && (
                <td data-right>
                  {event.mayRetry && (
                    <Button
                      size="xs"
                      aria-label={t('said.events.retryOf', { id: event.objectId })}
                      loading={busy === event.id}
                      onClick={() => retry(event.id)}
                    >
                      {t('said.events.retry')}
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
