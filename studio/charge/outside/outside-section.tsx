import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listSubscriptions, type Subscription } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconCode, IconPlus, IconUpload } from '../../ui/icons.ts'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { Section } from '../../ui/section.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import classes from '../charge.module.css'
import { chargeKey, plansQuery } from '../queries.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { EnterDialog } from './enter-dialog.tsx'
import { FileDialog } from './file-dialog.tsx'
import { SubscriptionTable } from './subscription-table.tsx'

/** The section stands among others on its page, so it begins with few. */
const FIRST_ROWS = 6
const MORE_ROWS = 20

/** What is paid without Stripe: a list, and the three ways in. */
export function OutsideSection() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const plans = useQuery(plansQuery(id))
  const hasPlan = plans.data?.plans.some(({ kind, closedAt }) => kind === 'paid' && !closedAt) ?? false
  const [opened, open] = useState<'enter' | 'file' | null>(null)
  const [changing, change] = useState<Subscription | null>(null)
  const { query, rows } = usePagedRows([...chargeKey(id), 'outside'], (cursor, signal) =>
    call(listSubscriptions, {
      params: { newsletterId: id },
      query: { way: 'outside', limit: cursor ? MORE_ROWS : FIRST_ROWS, cursor },
      signal,
    }),
  )
  const mayEnter = may('charge.write') && hasPlan
  return (
    <Section
      title={t('plans.outside.title')}
      aside={
        mayEnter && (
          <Group gap={6}>
            <Button size="xs" leftSection={<IconPlus size={14} stroke={1.6} />} onClick={() => open('enter')}>
              {t('plans.outside.byHand')}
            </Button>
            <Button size="xs" leftSection={<IconUpload size={14} stroke={1.6} />} onClick={() => open('file')}>
              {t('plans.outside.byFile')}
            </Button>
            <Button
              size="xs"
              component="a"
              href="/api/docs#tag/charge"
              target="_blank"
              rel="noopener"
              leftSection={<IconCode size={14} stroke={1.6} />}
            >
              {t('plans.outside.byApi')}
            </Button>
          </Group>
        )
      }
    >
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={3} />}
      {query.data && rows.length === 0 && <p className={classes.quiet}>{t('plans.outside.none')}</p>}
      {rows.length > 0 && (
        <SubscriptionTable
          rows={rows}
          {...(mayEnter && {
            act: (one: Subscription) => (
              <Button
                size="xs"
                variant="subtle"
                aria-label={t('plans.change.of', { name: one.subscriber?.email ?? t('plans.erased') })}
                onClick={() => change(one)}
              >
                {t('plans.change.button')}
              </Button>
            ),
          })}
        />
      )}
      <MoreRows query={query} />
      {opened === 'enter' && <EnterDialog onClose={() => open(null)} />}
      {opened === 'file' && <FileDialog onClose={() => open(null)} />}
      {changing && <ChangeDialog key={changing.id} subscription={changing} onClose={() => change(null)} />}
    </Section>
  )
}
