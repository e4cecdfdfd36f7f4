import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listSubscriptions, type Subscription } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { Section } from '../../ui/section.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { SubscriptionTable } from './subscription-table.tsx'
import { useMayEnter, WaysIn } from './ways-in.tsx'

/** The section stands among others on its page, so it begins with few. */
const FIRST_ROWS = 6
const MORE_ROWS = 20

/** What is paid without Stripe: a list, and the ways in. */
export function OutsideSection() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const [changing, change] = useState<Subscription | null>(null)
  const { query, rows } = usePagedRows([...chargeKey(id), 'outside'], (cursor, signal) =>
    call(listSubscriptions, {
      params: { newsletterId: id },
      query: { way: 'outside', limit: cursor ? MORE_ROWS : FIRST_ROWS, cursor },
      signal,
    }),
  )
  const mayEnter = useMayEnter()
  return (
    <Section title={t('plans.outside.title')} aside={<WaysIn />}>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={3} />}
      {query.data && rows.length === 0 && <p className={classes.quiet}>{t('plans.outside.none')}</p>}
      {rows.length > 0 && (
        <SubscriptionTable
          rows={rows}
          {...(mayEnter && {
            act: (one: Subscription) =>
              one.subscriber && (
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={t('plans.change.of', { name: one.subscriber.email })}
                  onClick={() => change(one)}
                >
                  {t('plans.change.button')}
                </Button>
              ),
          })}
        />
      )}
      <MoreRows query={query} />
      {changing && <ChangeDialog key={changing.id} subscription={changing} onClose={() => change(null)} />}
    </Section>
  )
}
