import { Checkbox, Table, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubscriberOrder } from '../../server/subscribers/contract.ts'
import type { Column, Row } from './columns.tsx'
import classes from './subscriber-table.module.css'
import type { Chooser } from './use-choice.ts'
import type { List } from './use-list.ts'

interface Props {
  rows: Row[]
  columns: Column[]
  list: List
  /** Null for whoever may do nothing with a choice. */
  chooser: Chooser | null
}

/** The subscribers as rows. Arrows move between them, space selects, and Enter opens. */
export function SubscriberTable({ rows, columns, list, chooser }: Props) {
  const { t } = useTranslation()
  const body = useRef<HTMLTableSectionElement>(null)
  const shown = rows.map(({ id }) => id)
  const chosen = shown.filter((id) => chooser?.has(id)).length
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const openers = [...(body.current?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])]
    const place = openers.findIndex((one) => one.closest('tr')?.contains(document.activeElement))
    const next = placeAfter(event.key, place, openers.length)
    const id = shown[place]
    if (next !== null) openers[next]?.focus()
    else if (event.key === ' ' && id && chooser && document.activeElement === openers[place]) chooser.toggle(id, shown)
    else return
    event.preventDefault()
  }
  return (
    <div className={classes.scroll}>
      <Table style={{ '--row': '46px' }} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {chooser && (
              <Table.Th className={classes.check}>
                <Checkbox
                  aria-label={t('subscribers.list.selectPage')}
                  checked={chosen > 0 && chosen === shown.length}
                  indeterminate={chosen > 0 && chosen < shown.length}
                  onChange={() => (chosen === shown.length ? chooser.none() : chooser.set(shown))}
                />
              </Table.Th>
            )}
            <Head title={t('shell.titles.subscriber')} sort="name" list={list} />
            {columns.map(({ id, title, sort }) => (
              <Head key={id} title={title} sort={sort} list={list} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => (
            <Table.Tr key={row.id} className={classes.row} data-chosen={chooser?.has(row.id) || undefined}>
              {chooser && (
                <Table.Td className={classes.check}>
                  <Checkbox
                    aria-label={t('subscribers.list.select', { who: row.name || row.email })}
                    checked={chooser.has(row.id)}
                    onChange={() => chooser.toggle(row.id, shown)}
                  />
                </Table.Td>
              )}
              <Table.Td className={classes.who}>
                <UnstyledButton data-opens onClick={() => list.change({ open: row.id })}>
                  {row.name || row.email}
                  {row.name && <small>{row.email}</small>}
                </UnstyledButton>
              </Table.Td>
              {columns.map(({ id, title, cell }) => (
                <Table.Td key={id} data-column={title} data-of={id}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** The row that a key leads to, or null for another key. */
function placeAfter(key: string, place: number, length: number): number | null {
  const ends: Record<string, number> = { Home: 0, End: length - 1 }
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
  const step = steps[key]
  if (step === undefined) return ends[key] ?? null
  return Math.max(0, Math.min(length - 1, place + step))
}

interface HeadProps {
  title: string
  sort: SubscriberOrder | null
  list: List
}

function Head({ title, sort, list }: HeadProps) {
  if (!sort) return <Table.Th>{title}</Table.Th>
  const isSorted = list.sort === sort
  const direction = list.direction ?? firstDirection(sort)
  const opposite = direction === 'asc' ? 'desc' : 'asc'
  return (
    <Table.Th aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        className={classes.sort}
        data-sorted={isSorted ? direction : undefined}
        onClick={() => list.change(isSorted ? { direction: opposite } : { sort, direction: null })}
      >
        {title}
      </UnstyledButton>
    </Table.Th>
  )
}

/** As the server begins: letters from the first on, times from the last back. */
export const firstDirection = (sort: SubscriberOrder): 'asc' | 'desc' =>
  sort === 'name' || sort === 'address' ? 'asc' : 'desc'
