import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardPayment } from '../../server/sponsorship/bookings/contract.ts'
import { GiveBackDialog } from '../charge/card/give-back-dialog.tsx'
import { TestMark } from '../charge/test-mode.tsx'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import classes from './sponsorship.module.css'
import { sumText } from './words.ts'

/** What a sponsor paid by card, what became of it, and the way to give it back. */
export function CardSection({ booking: { cardPayments } }: { booking: { cardPayments: CardPayment[] } }) {
  const { t } = useTranslation()
  const [giving, give] = useState<CardPayment | null>(null)
  if (cardPayments.length === 0) return null
  return (
    <Section title={t('sponsorship.card.title')}>
      {cardPayments.some(({ owed }) => owed) && <p className={classes.quiet}>{t('sponsorship.card.owed')}</p>}
      {cardPayments.some(({ disputed }) => disputed > 0) && (
        <p className={classes.quiet}>{t('sponsorship.card.disputedText')}</p>
      )}
      <ul className={classes.list}>
        {cardPayments.map((payment) => (
          <Payment key={payment.id} payment={payment} onGiveBack={() => give(payment)} />
        ))}
      </ul>
      {giving && <GiveBackDialog payment={{ ...giving, opens: false }} onClose={() => give(null)} />}
    </Section>
  )
}

function Payment({ payment, onGiveBack }: { payment: CardPayment; onGiveBack: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { may } = useNewsletter()
  const { at, fee, refunded, disputed, owed, test, url } = payment
  const sum = (amount: number) => sumText({ ...payment, amount }, language)
  const parts = [
    fee > 0 ? t('sponsorship.card.fee', { sum: sum(fee) }) : t('sponsorship.card.feeToCome'),
    refunded > 0 && t('sponsorship.card.refunded', { sum: sum(refunded) }),
    disputed > 0 && t('sponsorship.card.disputed', { sum: sum(disputed) }),
  ]
  return (
    <li className={classes.payment}>
      <div>
        <b>{sum(payment.amount)}</b> {test && <TestMark />}{' '}
        {owed && <StatusMark shape="paused">{t('sponsorship.card.owedMark')}</StatusMark>}
        <p>{[format.momentOfYear(at), ...parts].filter(Boolean).join(', ')}</p>
        {url && (
          <p>
            <a href={url} rel="noreferrer" target="_blank">
              {t('sponsorship.card.atStripe')}
            </a>
          </p>
        )}
      </div>
      {may('charge.manage') && refunded + disputed < payment.amount && (
        <Button size="xs" onClick={onGiveBack}>
          {t('plans.giveBack.button')}…
        </Button>
      )}
    </li>
  )
}
