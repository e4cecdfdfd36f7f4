import { Checkbox, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import { meaningOf } from './answer-meaning.ts'
import type { DeliveryState } from './delivery-states.ts'
import classes from './delivery-table.module.css'
import type { Delivery } from './queries.ts'
import { useAnswerSentence } from './reason-sentences.ts'

const shapes: Record<DeliveryState, StatusShape> = {
  queued: 'draft',
  claimed: 'sending',
  accepted: 'sent',
  caught: 'paused',
  deferred: 'paused',
  failed: 'stopped',
  suppressed: 'paused',
  uncertain: 'stopped',
}

interface Choice {
  chosen: string[]
  setChosen: (chosen: string[]) => void
}

/** One row for each delivery. On a phone the answer is below the address. */
export function DeliveryTable({ rows, choice }: { rows: Delivery[]; choice?: Choice }) {
  const { t } = useTranslation()
  return (
    <Table className={classes.table ?? ''} style={{ '--row': '46px' }}>
      <Table.Thead>
        <Table.Tr>
          {choice && (
            <Table.Th w={32}>
              <ChooseAll rows={rows} choice={choice} />
            </Table.Th>
          )}
          <Table.Th>{t('publish.deliveries.address')}</Table.Th>
          <Table.Th>{t('publish.deliveries.state')}</Table.Th>
          <Table.Th>{t('publish.deliveries.answer')}</Table.Th>
          <Table.Th>{t('publish.deliveries.attempts')}</Table.Th>
          <Table.Th>{t('publish.deliveries.when')}</Table.Th>
          <Table.Th>{t('publish.deliveries.opened')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Row key={row.subscriberId} row={row} {...(choice && { choice })} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function ChooseAll({ rows, choice: { chosen, setChosen } }: { rows: Delivery[]; choice: Choice }) {
  const { t } = useTranslation()
  const all = chosen.length === rows.length
  return (
    <Checkbox
      aria-label={t('delivery.uncertain.chooseAll')}
      checked={all}
      indeterminate={chosen.length > 0 && !all}
      onChange={() => setChosen(all ? [] : rows.map(({ subscriberId }) => subscriberId))}
    />
  )
}

function Row({ row, choice }: { row: Delivery; choice?: Choice }) {
  const { t } = useTranslation()
  const format = useFormat()
  const email = row.email || t('publish.deliveries.erased')
  const id = row.subscriberId
  return (
    <Table.Tr>
      {choice && (
        <Table.Td data-part="choose">
          <Checkbox
            aria-label={t('delivery.uncertain.choose', { email })}
            checked={choice.chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              choice.setChosen(checked ? [...choice.chosen, id] : choice.chosen.filter((one) => one !== id))
            }
          />
        </Table.Td>
      )}
      <Table.Td data-part="address" className={classes.address}>
        {email}
        {row.asWelcome && <small>{t('delivery.oneAsWelcome')}</small>}
      </Table.Td>
      <Table.Td data-part="state">
        {row.feedback ? (
          <StatusMark shape={row.feedback.kind === 'soft' ? 'paused' : 'stopped'}>
            {t('publish.state.one.returned')}
          </StatusMark>
        ) : (
          <StatusMark shape={shapes[row.state]}>{t(`publish.state.one.${row.state}`)}</StatusMark>
        )}
      </Table.Td>
      <Table.Td data-part="answer">
        <Answer row={row} />
      </Table.Td>
      <Table.Td data-part="attempts">{format.number(row.attempts)}</Table.Td>
      <Table.Td data-part="when">
        <When row={row} />
      </Table.Td>
      <Table.Td data-part="opened">{row.openedAt ? format.ago(row.openedAt) : '—'}</Table.Td>
    </Table.Tr>
  )
}

function When({ row }: { row: Delivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const waits = row.state === 'deferred' || Date.parse(row.dueAt ?? '') > Date.now() + 5_000
  if (waits && row.dueAt)
    return t(`publish.deliveries.${row.attempts === 0 ? 'leaves' : 'again'}`, { time: format.soon(row.dueAt) })
  return <time dateTime={row.changedAt}>{format.ago(row.changedAt)}</time>
}

/** The meaning in a sentence, then the other server's own words. A bounce or complaint replaces the relay's answer. */
function Answer({ row }: { row: Delivery }) {
  const { t } = useTranslation()
  const answer = useAnswerSentence()
  if (row.feedback) {
    const meaning = row.feedback.kind === 'complaint' ? null : meaningOf(row.feedback.words)
    return (
      <>
        <span className={classes.meaning}>
          {t(`publish.feedback.${row.feedback.kind}`)}
          {meaning && ` ${t(`publish.meaning.${meaning}`)}`}
        </span>
        <Quote text={row.feedback.words} />
      </>
    )
  }
  const said = answer(row.answer, row.state)
  if (!said) return '—'
  return (
    <>
      {said.meaning && <span className={classes.meaning}>{said.meaning}</span>}
      <Quote text={said.words} />
    </>
  )
}

const Quote = ({ text }: { text: string | null }) =>
  text ? (
    <q className={classes.answer} title={text}>
      {text}
    </q>
  ) : null
