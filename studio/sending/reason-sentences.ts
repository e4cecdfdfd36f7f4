import { useTranslation } from 'react-i18next'
import { meaningOf } from './answer-meaning.ts'
import type { DeliveryState } from './delivery-states.ts'

/** Why a publication can stop by itself, or not leave at its time. */
const stopReasons = [
  'relay_refused',
  'relay_unreachable',
  'too_many_complaints',
  'internal',
  'no_title',
  'empty_publication',
  'no_subscribers',
  'no_sender',
  'no_postal_address',
] as const

/** Why a copy did not leave, where it was not the relay that said so. */
const ownAnswers = [
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
    const known = stopReasons.find((one) => one === code)
    return known ? t(`publish.stopped.${known}`) : t('publish.stopped.other', { code })
  }
}

/** What an answer means in a sentence, and the words it was said in, where they were not our own. */
export function useAnswerSentence(): (
  answer: string | null,
  state: DeliveryState,
) => { meaning: string | null; words: string | null } | null {
  const { t } = useTranslation()
  return (answer, state) => {
    if (!answer) return null
    const ours = ownAnswers.find((one) => one === answer)
    if (ours) return { meaning: t(`publish.answer.${ours}`), words: null }
    if (state === 'uncertain') return { meaning: t('publish.answer.broke'), words: answer }
    const meaning = meaningOf(answer)
    return { meaning: meaning && t(`publish.meaning.${meaning}`), words: answer }
  }
}
