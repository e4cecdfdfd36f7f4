import { useTranslation } from 'react-i18next'
import { listAccountEvents } from '../../server/audit/contract.ts'
import { deviceOf } from '../../server/http/device.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { securityQuery } from '../identity/two-factor-section.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { usePagedRows } from '../ui/use-pages.ts'
import classes from './audit.module.css'
import { outcomeText, useAccountActSentence } from './sentences.ts'

/** Sign-ins and changes of what protects the account, for the person themselves. */
export function AccountEvents() {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useAccountActSentence()
  const { query, rows } = usePagedRows([...securityQuery.queryKey, 'account-events'], (cursor, signal) =>
    call(listAccountEvents, { query: { limit: 10, cursor }, signal }),
  )
  return (
    <Section title={t('audit.account.title')}>
      <QueryContent query={query}>
        {() =>
          rows.length === 0 ? (
            <p>{t('audit.account.none')}</p>
          ) : (
            <ul className={classes.events}>
              {rows.map((event) => (
                <li key={event.id}>
                  {outcomeText(t, event) && <b>{outcomeText(t, event)}</b>}
                  {sentence(event)}
                  <small>
                    {[format.momentOfYear(event.at), deviceOf(event.device), event.network].filter(Boolean).join(' · ')}
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreRows query={query} />
    </Section>
  )
}
