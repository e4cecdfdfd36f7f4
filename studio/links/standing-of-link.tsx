import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import type { ShortLink } from './queries.ts'

const hasEnded = ({ expiresAt }: Pick<ShortLink, 'expiresAt'>): boolean =>
  expiresAt !== null && new Date(expiresAt) <= new Date()

/** Whether a link leads to its target no more. */
export const isOver = (link: ShortLink): boolean => link.disabledAt !== null || hasEnded(link)

/** Whether a link leads to its target, and until when. */
export function StandingOfLink({ link, onlyWhenOver = false }: { link: ShortLink; onlyWhenOver?: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { disabledAt, expiresAt } = link
  if (disabledAt)
    return <StatusMark shape="stopped">{t('links.disabledSince', { day: format.day(disabledAt) })}</StatusMark>
  if (expiresAt && hasEnded(link))
    return <StatusMark shape="stopped">{t('links.endedOn', { day: format.day(expiresAt) })}</StatusMark>
  if (onlyWhenOver) return null
  return (
    <StatusMark shape="sent">
      {expiresAt ? t('links.activeUntil', { day: format.dayOfYear(expiresAt) }) : t('links.active')}
    </StatusMark>
  )
}
