import { ActionIcon, Button, Table } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  orderRecommendations,
  type Recommendation,
  recommendationLimits,
  removeRecommendation,
} from '../../../server/campaigns/recommendations/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconArrowDown, IconArrowUp, IconPlus } from '../../ui/icons.ts'
import { moveButtonId, useMovedFocus, type Way } from '../../ui/moved-focus.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { CountCells, CountHeads } from './counts-columns.tsx'
import { type Period, recommendationsKey, recommendationsQuery } from './queries.ts'
import { ReasonText } from './reason-text.tsx'
import { RecommendDialog } from './recommend-dialog.tsx'
import classes from './recommendations.module.css'
import { RemoteChange } from './remote-change.tsx'
import { RemoteClock } from './remote-clock.tsx'

const shapes = {
  shown: 'sent',
  next: 'scheduled',
  waiting: 'scheduled',
  declined: 'stopped',
  gone: 'stopped',
  stale: 'stopped',
} as const

/** The newsletters that are recommended, in their order. */
export function OursSection({ period }: { period: Period }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const query = useQuery(recommendationsQuery(id, period))
  const [editing, edit] = useState<Recommendation | 'new' | null>(null)
  const [removing, remove] = useState<Recommendation | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: recommendationsKey(id) })
  const order = useMutation({
    mutationFn: (ids: string[]) => call(orderRecommendations, { params: { newsletterId: id }, body: { ids } }),
    onSettled: refresh,
  })
  const rows = query.data?.rows ?? []
  const [moved, setMoved] = useState<{ id: string; way: Way } | null>(null)
  useMovedFocus(moved, { at: rows.findIndex((row) => row.id === moved?.id), count: rows.length })
  const move = (from: number, way: Way) => {
    const to = way === 'up' ? from - 1 : from + 1
    const ids = rows.map((row) => row.id)
    const moving = ids[from] ?? ''
    setMoved({ id: moving, way })
    order.mutate(ids.with(from, ids[to] ?? '').with(to, moving))
  }
  return (
    <Section
      title={t('recommendations.ours')}
      aside={
        may('campaigns.write') && (
          <Button
            disabled={!query.data}
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.6} />}
            onClick={() => edit('new')}
          >
            {t('recommendations.add')}
          </Button>
        )
      }
    >
      <ErrorNotice error={order.error} />
      <QueryContent query={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title={t('recommendations.noneTitle')}>{t('recommendations.none')}</EmptyState>
          ) : (
            <>
              <p className={classes.quiet}>{t('recommendations.oursLead')}</p>
              <Table className={classes.table ?? ''}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('recommendations.counts.newsletter')}</Table.Th>
                    <CountHeads />
                    <Table.Td />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row, at) => (
                    <Table.Tr key={row.id}>
                      <Table.Td>
                        <Name row={row} place={placeOf(rows, row)} />
                      </Table.Td>
                      <CountCells counts={row.counts} elsewhere={row.remote !== null} />
                      <Table.Td data-right>
                        {may('campaigns.write') && (
                          <div className={classes.acts}>
                            {rows.length > 1 && (
                              <>
                                <Move row={row} way="up" disabled={at === 0} onClick={() => move(at, 'up')} />
                                <Move
                                  row={row}
                                  way="down"
                                  disabled={at === rows.length - 1}
                                  onClick={() => move(at, 'down')}
                                />
                              </>
                            )}
                            <Button
                              size="xs"
                              variant="subtle"
                              aria-label={t('recommendations.changeOne', { other: row.name })}
                              onClick={() => edit(row)}
                            >
                              {t('recommendations.change')}
                            </Button>
                            <Button
                              size="xs"
                              variant="subtle"
                              color="rouge"
                              aria-label={t('recommendations.removeOne', { name: row.name })}
                              onClick={() => remove(row)}
                            >
                              {t('recommendations.remove')}
                            </Button>
                          </div>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </>
          )
        }
      </QueryContent>
      <RecommendDialog
        editing={editing}
        candidates={query.data?.candidates ?? []}
        onClose={() => edit(null)}
        onSaved={() => refresh().then(() => edit(null))}
      />
      <ConfirmDelete
        opened={removing !== null}
        onClose={() => remove(null)}
        title={t('recommendations.removeAsk', { name: removing?.name ?? '' })}
        confirm={t('recommendations.remove')}
        onConfirm={async () => {
          await call(removeRecommendation, { params: { newsletterId: id, recommendationId: removing?.id ?? '' } })
          await refresh()
        }}
      >
        {t('recommendations.removeText')}
      </ConfirmDelete>
    </Section>
  )
}

/** What readers see of it: those behind the first five wait. */
function placeOf(rows: Recommendation[], row: Recommendation): keyof typeof shapes {
  const ahead = rows.slice(0, rows.indexOf(row)).filter(({ state }) => state === 'shown').length
  return row.state === 'shown' && ahead >= recommendationLimits.shown ? 'next' : row.state
}

function Name({ row, place }: { row: Recommendation; place: keyof typeof shapes }) {
  const { t } = useTranslation()
  return (
    <>
      {row.newsletter ? (
        <a href={row.newsletter.url} target="_blank" rel="noreferrer">
          {row.name}
        </a>
      ) : (
        row.name
      )}
      {row.remote && (
        <small>
          {t(row.remote.isDemo ? 'recommendations.remote.demo' : 'recommendations.remote.on', {
            host: row.remote.host,
          })}
        </small>
      )}
      <ReasonText reasons={row.reasons} />
      <StatusMark shape={shapes[place]}>{t(`recommendations.states.${place}`)}</StatusMark>
      <RemoteClock row={row} />
      <RemoteChange row={row} />
    </>
  )
}

interface MoveProps {
  row: Recommendation
  way: Way
  disabled: boolean
  onClick: () => void
}

function Move({ row, way, disabled, onClick }: MoveProps) {
  const { t } = useTranslation()
  return (
    <ActionIcon
      id={moveButtonId(row.id, way)}
      variant="subtle"
      color="gray"
      aria-label={t(`recommendations.${way}`, { name: row.name })}
      disabled={disabled}
      onClick={onClick}
    >
      {way === 'up' ? <IconArrowUp size={16} stroke={1.6} /> : <IconArrowDown size={16} stroke={1.6} />}
    </ActionIcon>
  )
}
