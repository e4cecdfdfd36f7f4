import { useTranslation } from 'react-i18next'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import classes from './publications.module.css'
import type { PublicationSummary } from './queries.ts'
import { usePublicationActions } from './use-publication-actions.tsx'

interface Props {
  of: Pick<PublicationSummary, 'id' | 'title' | 'language' | 'channel'>
  opened: boolean
  onClose: () => void
}

/** Asks before a publication is taken off the web, and says what goes, what stays and what takes a while. */
export function TakeOffDialog({ of, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { takeOff } = usePublicationActions()
  return (
    <ConfirmDelete
      opened={opened}
      onClose={onClose}
      title={t('publish.offWeb.ask.title', { title: shownTitle(of.title, t) })}
      confirm={t('publish.offWeb.ask.confirm')}
      onConfirm={() => takeOff(of.id)}
    >
      <ul className={classes.consequences}>
        <li>{t('publish.offWeb.ask.page')}</li>
        {of.channel === 'everywhere' && <li>{t('publish.offWeb.ask.mails')}</li>}
        <li>{t('publish.offWeb.ask.copies')}</li>
        <li>{t('publish.offWeb.ask.back')}</li>
      </ul>
    </ConfirmDelete>
  )
}
