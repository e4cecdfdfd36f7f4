import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  exportGifts,
  type Gift,
  listGifts,
  mailGiftAgain,
  withdrawGift,
} from '../../../server/charge/gifts/contract.ts'
import { addressOf, call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { IconDownload, IconPlus } from '../../ui/icons.ts'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { useReturnFocus } from '../../ui/return-focus.ts'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import classes from '../charge.module.css'
import { Person, usePlanNames } from '../outside/subscription-table.tsx'
import { usePlanChoices } from '../plan-choices.ts'
import { giftsKey } from '../queries.ts'
import { MakeGifts } from './make-gifts.tsx'

/** The codes that give a plan for some months: who took them, which wait, and a form for more. */
export function GiftsSection() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const showError = useErrorToast()
  const plans = usePlanChoices()
  const [making, { open, close }] = useDisclosure(false)
  useReturnFocus(making)
  const [withdrawing, withdraw] = useState<Gift | null>(null)
  const { query, rows } = usePagedRows(giftsKey(id), (cursor, signal) =>
    call(listGifts, { params: { newsletterId: id }, query: { limit: 20, cursor }, signal }),
  )
  const refresh = () => queries.invalidateQueries({ queryKey: giftsKey(id) })
  const isOpen = rows.some(({ state }) => state === 'open')
  return (
    <Section
      title={t('gifts.title')}
      aside={
        !making && (
          <Group gap={6}>
            {isOpen && (
              <Button
                size="xs"
                component="a"
                href={addressOf(exportGifts, { newsletterId: id }, { sheet })}
                download
                leftSection={<IconDownload size={14} stroke={1.6} />}
              >
                {t('gifts.csv')}
              </Button>
            )}
            <Button
              size="xs"
              onClick={open}
              disabled={plans.length === 0}
              leftSection={<IconPlus size={14} stroke={1.6} />}
            >
              {t('gifts.make')}
            </Button>
          </Group>
        )
      }
    >
      <p className={classes.quiet}>{t('gifts.lead')}</p>
      {making && (
        <MakeGifts
          plans={plans}
          onCancel={close}
          onDone={(count) => {
            notifications.show({ message: t('gifts.made', { count }) })
            void refresh().then(close)
          }}
        />
      )}
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={3} />}
      {query.data && rows.length === 0 && !making && (
        <p className={classes.quiet}>{t(plans.length === 0 ? 'gifts.needsPlan' : 'gifts.none')}</p>
      )}
      {rows.length > 0 && (
        <Table
          rows={rows}
          onWithdraw={withdraw}
          onMail={(gift) => {
            void call(mailGiftAgain, { params: { newsletterId: id, giftId: gift.id } })
              .then(() => notifications.show({ message: t('boughtGifts.list.queued') }))
              .catch(showError)
          }}
        />
      )}
      <MoreRows query={query} />
      <ConfirmDelete
        opened={withdrawing !== null}
        onClose={() => withdraw(null)}
        title={t('gifts.withdrawAsk', { code: withdrawing?.code ?? '' })}
        confirm={t('gifts.withdraw')}
        onConfirm={async () => {
          await call(withdrawGift, { params: { newsletterId: id, giftId: withdrawing?.id ?? '' } })
          await refresh()
        }}
      >
        {t('gifts.withdrawText')}
      </ConfirmDelete>
    </Section>
  )
}

const shapes = { open: 'scheduled', taken: 'sent', over: 'stopped', withdrawn: 'stopped' } as const

interface TableProps {
  rows: Gift[]
  onWithdraw: (gift: Gift) => void
  onMail: (gift: Gift) => void
}

function Table({ rows, onWithdraw, onMail }: TableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('gifts.columns.code')}</th>
            <th>{t('gifts.columns.what')}</th>
            <th>{t('gifts.columns.state')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((gift) => (
            <tr key={gift.id}>
              <td>
                <b>{gift.code}</b>
                {gift.note && <small>{gift.note}</small>}
                {gift.bought && <Bought gift={gift} bought={gift.bought} />}
              </td>
              <td data-column={t('gifts.columns.what')}>
                {nameOf(gift.planId)}
                <small>{t('gifts.forMonths', { count: gift.months })}</small>
              </td>
              <td data-column={t('gifts.columns.state')}>
                <StatusMark shape={shapes[gift.state]}>{t(`gifts.states.${gift.state}`)}</StatusMark>
                {gift.state === 'taken' && (
                  <small>
                    <Person subscriber={gift.subscriber} /> · {format.dayOfYear(gift.takenAt)}
                  </small>
                )}
                {gift.state === 'open' && gift.until && (
                  <small>{t('gifts.openUntil', { date: format.dayOfYear(gift.until) })}</small>
                )}
              </td>
              <td data-right>
                {gift.state === 'open' && gift.bought && (
                  <Button
                    size="xs"
                    variant="subtle"
                    aria-label={t('boughtGifts.list.againOne', { code: gift.code })}
                    onClick={() => onMail(gift)}
                  >
                    {t('boughtGifts.list.again')}
                  </Button>
                )}
                {gift.state === 'open' && (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="rouge"
                    aria-label={t('gifts.withdrawOne', { code: gift.code })}
                    onClick={() => onWithdraw(gift)}
                  >
                    {t('gifts.withdraw')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Who bought a gift, and what of its mail has become. */
function Bought({ gift, bought }: { gift: Gift; bought: NonNullable<Gift['bought']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { buyer, recipient, mailAt, mailedAt } = bought
  const isWaiting = gift.state === 'open' && !mailedAt && recipient
  return (
    <>
      <small>{buyer ? t('boughtGifts.list.by', { email: buyer }) : t('boughtGifts.list.bySomebody')}</small>
      {mailedAt && <small>{t('boughtGifts.list.mailed', { date: format.dayOfYear(mailedAt) })}</small>}
      {isWaiting && (
        <small>{t('boughtGifts.list.waiting', { date: format.dayOfYear(mailAt), email: recipient })}</small>
      )}
      {!mailedAt && !isWaiting && <small>{t('boughtGifts.list.notMailed')}</small>}
      {bought.returned && <small>{t('boughtGifts.list.returned')}</small>}
      {bought.test && <small>{t('boughtGifts.list.test')}</small>}
    </>
  )
}
