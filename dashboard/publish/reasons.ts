import { useTranslation } from 'react-i18next'

/** Why a publication can stop by itself, or not leave at its time. */
const stops = [
  'relay_refused',
  'relay_unreachable',
  'no_title',
  'empty_publication',
  'no_subscribers',
  'no_sender',
  'no_postal_address',
] as const

/** Why a copy did not leave, where it was not the relay that said so. */
const answers = [
  'cancelled',
  'erased',
  'unsubscribed',
  'bounced',
  'complained',
  'by_hand',
  'pending',
  'lease_expired',
  'process_ended',
  'closed',
] as const

/** Says why a publication stopped; what has no sentence yet is named by its code. */
export function useStopReason(): (code: string) => string {
  const { t } = useTranslation()
  return (code) => {
    const known = stops.find((one) => one === code)
    return known ? t(`publish.stopped.${known}`) : t('publish.stopped.other', { code })
  }
}

/** Says what a delivery's answer means: our own codes in words, the relay's words as they are. */
export function useAnswerText(): (answer: string) => string {
  const { t } = useTranslation()
  return (answer) => {
    const known = answers.find((one) => one === answer)
    return known ? t(`publish.answer.${known}`) : answer
  }
}
