import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Use } from '../../server/segments/contract.ts'
import { ApiError } from '../api.ts'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { shownTitle } from '../ui/shown-title.ts'

const InUse = z.object({ uses: z.array(Use) })

interface Props {
  /** The name of what is deleted; null while nothing is. */
  name: string | null
  /** What is lost. */
  text: string
  /** Whether what is scheduled for it loses its time. */
  isAudience?: boolean
  onClose: () => void
  onDelete: (evenIfUsed: 'true' | 'false') => Promise<unknown>
}

/** Asks before something is deleted. When something is built on it, it says what, and asks once more. */
export function DeleteUsed({ name, text, isAudience = false, onClose, onDelete }: Props) {
  const { t } = useTranslation()
  const [uses, setUses] = useState<z.infer<typeof Use>[]>([])
  const sentence = (use: z.infer<typeof Use>) => {
    if (use.kind === 'segment') return t('segments.useSegment', { name: use.name })
    const title = shownTitle(use.title, t)
    if (use.kind === 'welcome') return t('segments.useWelcome', { title })
    return t(isAudience ? 'segments.useScheduled' : 'segments.usePublication', { title })
  }
  const close = () => {
    setUses([])
    onClose()
  }
  const remove = async () => {
    try {
      await onDelete(uses.length > 0 ? 'true' : 'false')
    } catch (refusal) {
      const detail = refusal instanceof ApiError ? InUse.safeParse(refusal.detail) : null
      if (!detail?.success) throw refusal
      setUses(detail.data.uses)
      return 'ask again'
    }
    return null
  }
  return (
    <ConfirmDelete
      opened={name !== null}
      onClose={close}
      title={t('segments.deleteAsk', { name })}
      confirm={uses.length > 0 ? t('segments.deleteAnyway') : t('segments.delete')}
      onConfirm={remove}
    >
      {text}
      {uses.length > 0 && (
        <>
          <p>{t('segments.usedBy')}</p>
          <ul>
            {uses.map((use) => (
              <li key={use.kind + (use.kind === 'segment' ? use.segmentId : use.publicationId)}>{sentence(use)}</li>
            ))}
          </ul>
          {!isAudience && <p>{t('segments.usedAfter')}</p>}
        </>
      )}
    </ConfirmDelete>
  )
}
