import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import {
  cancelPublication,
  deletePublication,
  duplicatePublication,
  pausePublication,
  putBackOnWeb,
  removeDeletedPublication,
  restorePublication,
  resumePublication,
  sendPublication,
  takeOffWeb,
  trustRefusals,
  unschedulePublication,
} from '../../server/publications/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { focusMain } from '../ui/focus-place.ts'

const sendingActions = {
  pause: pausePublication,
  resume: resumePublication,
  trust: trustRefusals,
  cancel: cancelPublication,
  unschedule: unschedulePublication,
}
export type SendingAction = keyof typeof sendingActions

/** When, to whom and by which channel something is scheduled. */
interface Scheduled {
  body: z.input<typeof sendPublication.body>
  /** The time as text. */
  when: string
}

/** The actions on a publication that lists and pages share. An action that fails shows the reason in a notice. */
export function usePublicationActions() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showError = useErrorToast()
  const refresh = () =>
    Promise.all(
      ['publications', 'publication', 'dashboard', 'delivery-list'].map((kind) =>
        queries.invalidateQueries({ queryKey: [newsletter.id, kind] }),
      ),
    )
  const params = (publicationId: string) => ({ newsletterId: newsletter.id, publicationId })
  /** A notice with a button that undoes what it says. */
  const notifyUndoable = (id: string, title: string, undo: () => unknown) =>
    notifications.show({
      id,
      autoClose: 15_000,
      title,
      message: (
        <Button
          size="xs"
          mt="xs"
          onClick={() => {
            notifications.hide(id)
            focusMain()
            undo()
          }}
        >
          {t('publish.undo')}
        </Button>
      ),
    })
  /** Says so, or why not. Resolves to whether it is back. */
  const restore = async (publicationId: string) => {
    try {
      await call(restorePublication, { params: params(publicationId) })
      notifications.hide(`removed-${publicationId}`)
      notifications.show({ message: t('publish.restored') })
      return true
    } catch (error) {
      showError(error)
      return false
    } finally {
      await refresh()
    }
  }
  /** Puts the page back on the web, and says so, or why not. */
  const putBack = async (publicationId: string) => {
    try {
      await call(putBackOnWeb, { params: params(publicationId) })
      notifications.hide(`off-web-${publicationId}`)
      notifications.show({ message: t('publish.offWeb.isBack') })
    } catch (error) {
      showError(error)
    }
    await refresh()
  }

  return {
    /** Pauses, resumes, cancels or unschedules. Resolves when the screen shows the new state. */
    run: (verb: SendingAction, publicationId: string) =>
      call(sendingActions[verb], { params: params(publicationId) }).then(refresh, showError),
    /** Takes back what was scheduled or sent now, or says why not. */
    takeBack: async (publicationId: string) => {
      try {
        await call(unschedulePublication, { params: params(publicationId) })
        notifications.hide(`scheduled-${publicationId}`)
        notifications.show({ message: t('publish.takeBack.done') })
        // The button is gone, and with it the focus, unless a menu has it back.
        if (document.activeElement === document.body) focusMain()
      } catch (error) {
        showError(error)
      }
      await refresh()
    },
    duplicate: async (publicationId: string) => {
      try {
        const copy = await call(duplicatePublication, { params: params(publicationId) })
        await refresh()
        await navigate(`/publish/create/${copy.id}`)
      } catch (error) {
        showError(error)
      }
    },
    /** Rejects with the server's refusal, for the dialog that asked. */
    remove: async (publicationId: string) => {
      await call(deletePublication, { params: params(publicationId) })
      await refresh()
      notifyUndoable(`removed-${publicationId}`, t('publish.removed'), () => void restore(publicationId))
    },
    restore,
    /** Takes the page off the web. Rejects with the server's refusal, for the dialog that asked. */
    takeOff: async (publicationId: string) => {
      await call(takeOffWeb, { params: params(publicationId) })
      await refresh()
      notifyUndoable(`off-web-${publicationId}`, t('publish.offWeb.isOff'), () => void putBack(publicationId))
    },
    putBack,
    /** Removes what was deleted. Rejects with the server's refusal, for the dialog that asked. */
    removeForGood: async (publicationId: string) => {
      await call(removeDeletedPublication, { params: params(publicationId) })
      notifications.hide(`removed-${publicationId}`)
      await refresh()
      notifications.show({ message: t('publish.deleted.removed') })
    },
    /**
     * Shows a notice that it is scheduled, with a button to undo that: it has the time before again, or is a draft.
     *
     * @param before what it was scheduled for until now; null for a draft
     */
    notifyScheduled: (publicationId: string, when: string, before: Scheduled | null) =>
      notifyUndoable(`scheduled-${publicationId}`, t('publish.send.scheduled', { when }), () => {
        const undone = before
          ? call(sendPublication, { params: params(publicationId), body: before.body })
          : call(sendingActions.unschedule, { params: params(publicationId) })
        const says = before ? t('publish.send.scheduled', { when: before.when }) : t('publish.takeBack.done')
        void undone.then(() => notifications.show({ message: says }), showError).then(refresh)
      }),
    refresh,
  }
}
