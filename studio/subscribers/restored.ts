import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { restoreSubscriber } from '../../server/subscribers/contract.ts'
import { useFormat } from '../format.ts'

type Lifted = z.infer<typeof restoreSubscriber.reply>

const kinds = ['unsubscribed', 'complained', 'erased'] as const

/** Says how many get mail again, and how many do not and why. */
export function useRestored(): (lifted: Lifted) => string {
  const { t } = useTranslation()
  const { number } = useFormat()
  return ({ restored, kept }) => {
    const stayed = kinds.filter((kind) => kept[kind] > 0)
    const sentences = stayed.map((kind) =>
      t(`subscribers.restore.${kind}`, { count: kept[kind], n: number(kept[kind]) }),
    )
    if (restored > 0) sentences.unshift(t('subscribers.restore.done', { count: restored, n: number(restored) }))
    return sentences.join(' ') || t('subscribers.restore.nobody')
  }
}
