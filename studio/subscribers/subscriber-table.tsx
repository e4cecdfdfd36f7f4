import { Table, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { Subscriber } from '../../server/subscribers/contract.ts'
import { useFormat } from '../format.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import classes from './subscribers.module.css'

export type Row = z.infer<typeof Subscriber>

/** The shape of each state of a subscriber. */
export const statusShape: Record<Row['status'], StatusShape> = {
  pending: 'draft',
  active: 'sent',
  unsubscribed: 'paused',
  bounced: 'stopped',
  complained: 'stopped',
}

export function SubscriberTable({ rows, onOpen }: { rows: Row[]; onOpen: (subscriberId: string) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.scroll}>
      <Table style={{ '--row': '46px' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('subscribers.subscriber')}</Table.Th>
            <Table.Th>{t('subscribers.status')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('subscribers.language')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('subscribers.source')}</Table.Th>
            <Table.Th visibleFrom="xs">{t('subscribers.joined')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} className={classes.row}>
              <Table.Td className={classes.who}>
                <UnstyledButton onClick={() => onOpen(row.id)}>
                  {row.name || row.email}
                  {row.name && <small>{row.email}</small>}
                </UnstyledButton>
              </Table.Td>
              <Table.Td>
                <StatusMark shape={statusShape[row.status]}>{t(`subscribers.state.${row.status}`)}</StatusMark>
              </Table.Td>
              <Table.Td visibleFrom="sm" tt="uppercase" fz="xs" c="var(--tirage-ink3)">
                {row.language}
              </Table.Td>
              <Table.Td visibleFrom="sm" c="var(--tirage-ink2)">
                {t(`subscribers.sources.${row.source}` as 'subscribers.sources.page', { defaultValue: row.source })}
              </Table.Td>
              <Table.Td visibleFrom="xs" c="var(--tirage-ink2)">
                {format.dayOfYear(row.confirmedAt ?? row.createdAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
