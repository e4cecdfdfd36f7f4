import { Button, Checkbox, Menu } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { ListedSubscriber, SubscriberOrder } from '../../server/subscribers/contract.ts'
import { PaceOf } from '../digests/pace-of.tsx'
import { useFormat } from '../format.ts'
import { fieldsQuery } from '../segments/queries.ts'
import { useUser } from '../shell/client.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconTable } from '../ui/icons.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import { useSourceName } from './use-source-name.ts'

export type Row = z.infer<typeof ListedSubscriber>

/** The shape of each state of a subscriber. */
export const statusShape: Record<Row['status'], StatusShape> = {
  pending: 'draft',
  active: 'sent',
  unsubscribed: 'paused',
  bounced: 'stopped',
  complained: 'stopped',
  campaign_only: 'draft',
}

export interface Column {
  id: string
  title: string
  /** The order that a press on its head asks for. */
  sort: SubscriberOrder | null
  cell: (row: Row) => ReactNode
}

/** Every column that there is: those of all newsletters, then one for each custom field. The first, who it is, always stands. */
export function useColumns(): Column[] {
  const { t } = useTranslation()
  const sourceName = useSourceName()
  const format = useFormat()
  const { id } = useNewsletter()
  const { data: fields = [] } = useQuery(fieldsQuery(id))
  const written = (value: string | number | boolean | undefined): ReactNode => {
    if (value === undefined) return null
    if (typeof value === 'boolean') return t(value ? 'segments.labels.yes' : 'segments.labels.no')
    return typeof value === 'number' ? format.number(value) : value
  }
  return [
    {
      id: 'status',
      title: t('subscribers.status'),
      sort: null,
      cell: ({ status }) => <StatusMark shape={statusShape[status]}>{t(`subscribers.state.${status}`)}</StatusMark>,
    },
    { id: 'language', title: t('subscribers.language'), sort: null, cell: ({ language }) => language.toUpperCase() },
    { id: 'pace', title: t('digests.column'), sort: null, cell: ({ pace }) => <PaceOf pace={pace} /> },
    {
      id: 'source',
      title: t('subscribers.source'),
      sort: null,
      cell: ({ source }) => sourceName(source),
    },
    {
      id: 'joined',
      title: t('subscribers.list.arrived'),
      sort: 'joined',
      cell: ({ confirmedAt, createdAt }) => format.dayOfYear(confirmedAt ?? createdAt),
    },
    {
      id: 'added',
      title: t('subscribers.list.addedOn'),
      sort: 'newest',
      cell: ({ addedAt }) => format.dayOfYear(addedAt),
    },
    {
      id: 'changed',
      title: t('subscribers.list.changed'),
      sort: 'changed',
      cell: ({ changedAt }) => format.dayOfYear(changedAt),
    },
    {
      id: 'tags',
      title: t('subscribers.list.tags'),
      sort: null,
      cell: ({ tags }) => tags.map(({ name }) => name).join(', '),
    },
    ...fields.map(({ key, label }) => ({
      id: `field:${key}`,
      title: label,
      sort: null,
      cell: ({ fields: values }: Row) => written(values[key]),
    })),
  ]
}

const usual = ['status', 'language', 'source', 'added']

/** The columns that this person chose for this newsletter, kept in the browser. */
export function useChosenColumns(): [string[], (ids: string[]) => void] {
  const { id } = useNewsletter()
  const user = useUser()
  const [chosen, choose] = useLocalStorage({
    key: `columns of ${user.uid} in ${id}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: read,
  })
  return [chosen, choose]
}

function read(stored: string | undefined): string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? '')
    return Array.isArray(ids) ? ids.filter((one) => typeof one === 'string') : usual
  } catch {
    return usual
  }
}

interface ChooserProps {
  columns: Column[]
  chosen: string[]
  choose: (ids: string[]) => void
  /** The column of this order stands while the list has it. */
  sort: SubscriberOrder
}

export function ColumnChooser({ columns, chosen, choose, sort }: ChooserProps) {
  const { t } = useTranslation()
  return (
    <Menu closeOnItemClick={false} position="bottom-end" width={230}>
      <Menu.Target>
        <Button leftSection={<IconTable size={15} stroke={1.6} />}>{t('subscribers.list.columns')}</Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {columns.map(({ id, title, sort: ordersBy }) => {
          const isOrder = ordersBy === sort
          const isChosen = isOrder || chosen.includes(id)
          return (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              disabled={isOrder}
              aria-checked={isChosen}
              leftSection={<Checkbox.Indicator size="xs" checked={isChosen} />}
              onClick={() => choose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
            >
              {title}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
