import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import {
  cancelPublication,
  deletePublication,
  duplicatePublication,
  pausePublication,
  resumePublication,
  unschedulePublication,
} from '../../server/publications/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { useErrorText } from '../ui/error-notice.tsx'

const sendingActions = {
  pause: pausePublication,
  resume: resumePublication,
  cancel: cancelPublication,
  unschedule: unschedulePublication,
}
export type SendingAction = keyof typeof sendingActions

/** What can be done to a publication from a list or its own page; what fails says why in a notice. */
export function usePublicationActions() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const errorText = useErrorText()
  const refresh = () =>
    Promise.all(
      ['publications', 'publication', 'dashboard', 'delivery-list'].map((kind) =>
        queries.invalidateQueries({ queryKey: [newsletter.id, kind] }),
      ),
    )
  const params = (publicationId: string) => ({ newsletterId: newsletter.id, publicationId })
  const showError = (error: unknown) => notifications.show({ message: errorText(error), color: 'rouge', role: 'alert' })

  return {
    /** Pauses, resumes, cancels or takes back; resolves when the screen is fresh. */
    run: (verb: SendingAction, publicationId: string) =>
      call(sendingActions[verb], { params: params(publicationId) }).then(refresh, showError),
    duplicate: async (publicationId: string) => {
      try {
        const copy = await call(duplicatePublication, { params: params(publicationId) })
        await refresh()
        await navigate(`/publish/create/${copy.id}`)
      } catch (error) {
        showError(error)
      }
    },
    /** Throws what the server refused, for the dialogue that asked. */
    remove: async (publicationId: string) => {
      await call(deletePublication, { params: params(publicationId) })
      await refresh()
      notifications.show({ message: t('publish.removed') })
    },
    /** Says that it is scheduled, and offers to take it back while the notice stays. */
    notifyScheduled: (publicationId: string, when: string) => {
      const id = `scheduled-${publicationId}`
      const undo = () => {
        notifications.hide(id)
        void call(sendingActions.unschedule, { params: params(publicationId) }).then(refresh, showError)
      }
      notifications.show({
        id,
        autoClose: 15_000,
        title: t('publish.send.scheduled', { when }),
        message: (
          <Button size="xs" mt="xs" onClick={undo}>
            {t('publish.undo')}
          </Button>
        ),
      })
    },
    refresh,
  }
}
