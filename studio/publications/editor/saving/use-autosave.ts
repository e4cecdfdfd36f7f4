import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Publication as PublicationShape, savePublication } from '../../../../server/publications/contract.ts'
import { slotsOf } from '../../../../server/publications/document/sponsor-slots.ts'
import { type ApiError, call } from '../../../api.ts'
import { type Publication, publicationQuery, slotsKey } from '../../queries.ts'
import { bodyOf, type Draft, draftOf, sameDraft } from '../draft.ts'
import { Autosave, type SaveState } from './autosave.ts'
import { removeLocalCopy, storeLocalCopy } from './local-copy.ts'

type Opened = Pick<Publication, 'id' | 'revision'> & { sent: Draft[] }

/** Saves the draft of one publication while its editor is open. */
export function useAutosave(newsletterId: string, opened: Opened): [Autosave<Draft>, SaveState] {
  const queries = useQueryClient()
  const params = { newsletterId, publicationId: opened.id }
  const [autosave] = useState(
    () =>
      new Autosave<Draft>({
        revision: opened.revision,
        sent: opened.sent,
        send: async (draft, revision) => {
          const saved = await call(savePublication, { params, body: { revision, ...bodyOf(draft) }, outlive: true })
          const { queryKey } = publicationQuery(newsletterId, opened.id)
          const before = queries.getQueryData(queryKey)
          queries.setQueryData(queryKey, saved)
          // A house campaign stands in one slot of a publication: which one it is depends on the others.
          if (before && slotsIn(before) !== slotsIn(saved))
            void queries.invalidateQueries({ queryKey: slotsKey(newsletterId, opened.id) })
          return saved
        },
        keepLocally: (draft, revision, sent) => storeLocalCopy(opened.id, { draft, revision, sent }),
        forgetLocal: () => removeLocalCopy(opened.id),
        savedRevision: revisionIfOurs,
      }),
  )
  const state = useSyncExternalStore(autosave.subscribe, autosave.snapshot)
  useEffect(() => saveOnLeaving(autosave), [autosave])
  return [autosave, state]
}

const slotsIn = (publication: Publication): string => JSON.stringify(slotsOf(draftOf(publication).content))

/** The refusal holds the server's version. When it is one of our own drafts, only its answer was lost. */
function revisionIfOurs({ detail }: ApiError, sent: Draft[]): number | null {
  const theirs = PublicationShape.safeParse(detail)
  return theirs.success && sent.some((draft) => sameDraft(draft, draftOf(theirs.data))) ? theirs.data.revision : null
}

/** Saves when the page is hidden or left, and when the browser is online again. Unsent changes stay on this device. */
function saveOnLeaving(autosave: Autosave<Draft>): () => void {
  const flush = () => void autosave.flush()
  const hidden = () => document.visibilityState === 'hidden' && flush()
  const leaving = (event: BeforeUnloadEvent) => {
    if (autosave.state.kind === 'conflict') event.preventDefault()
    flush()
  }
  document.addEventListener('visibilitychange', hidden)
  window.addEventListener('online', flush)
  window.addEventListener('pagehide', flush)
  window.addEventListener('beforeunload', leaving)
  return () => {
    document.removeEventListener('visibilitychange', hidden)
    window.removeEventListener('online', flush)
    window.removeEventListener('pagehide', flush)
    window.removeEventListener('beforeunload', leaving)
    // What could not be saved stays on this device. Only the next editor that opens may save it, so the timer stops here.
    void autosave.flush().finally(() => autosave.stop())
  }
}
