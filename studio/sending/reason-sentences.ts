import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { meaningOf, wordsOf } from './answer-meaning.ts'
import type { DeliveryState } from './delivery-states.ts'

/** Why a sending can stop by itself, or not start at its time. */
const stopReasons = [
  'relay_refused',
  'relay_unreachable',
  'too_many_complaints',
  'too_many_refusals',
  'internal',
  'busy',
  'sender_unproven',
  'segment_not_found',
  'owner_unconfirmed',
  'no_title',
  'empty_publication',
  'no_subscribers',
  'no_sender',
  'no_postal_address',
  'empty_merge_fields',
  'newsletter_deleted',
] as const

/** Why a delivery was not sent or is uncertain, when the reason is ours and not the relay's. */
const ownAnswers = [
  'cancelled',
  'erased',
  'unsubscribed',
  'audience',
  'paused',
  'bounced',
  'complained',
  'by_hand',
  'pending',
  'lease_expired',
  'process_ended',
  'closed',
  'proved_by_open',
  'proved_by_click',
  'proved_by_bounce',
  'proved_by_complaint',
  'proved_by_leaving',
] as const

/** The sentence for why a sending stopped. */
export function useStopReason(): (code: string) => string {
  const { t } = useTranslation()
  return (code) => stopSentence(t, code)
}

/** A reason without a sentence of its own has that of its error. One whose values are not known would have gaps. */
export function stopSentence(t: TFunction, code: string): string {
  const known = stopReasons.find((one) => one === code)
  if (known) return t(`publish.stopped.${known}`)
  const sentence = t(`errors.${code}` as 'errors.busy', { defaultValue: '', skipInterpolation: true })
  return sentence === '' || sentence.includes('{{') ? t('publish.stopped.other') : sentence
}

/** What the answer of a delivery means in a sentence, and the relay's own words when the answer is the relay's. */
export function useAnswerSentence(): (
  answer: string | null,
  state: DeliveryState,
) => { meaning: string | null; words: string | null } | null {
  const { t } = useTranslation()
  return (answer, state) => {
    if (!answer) return null
    if (state === 'caught') return { meaning: t('publish.answer.caught'), words: null }
    const ours = ownAnswers.find((one) => one === answer)
    if (ours) return { meaning: t(`publish.answer.${ours}`), words: null }
    if (state === 'uncertain') return { meaning: t('publish.answer.broke'), words: answer }
    const meaning = meaningOf(answer)
    return { meaning: meaning && t(`publish.meaning.${meaning}`), words: wordsOf(answer) }
  }
}
