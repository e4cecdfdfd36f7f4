import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { savePublication } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { Autosave, type SaveState } from '../autosave.ts'
import { forgetCopy, keepCopy } from '../local-copy.ts'
import { publicationQuery } from '../queries.ts'
import { bodyOf, type Draft, type Publication } from './draft.ts'

/** Saves what is written into one publication, for as long as its editor is open. */
export function useAutosave(newsletterId: string, opened: Publication): [Autosave<Draft>, SaveState] {
  const queries = useQueryClient()
  const params = { newsletterId, publicationId: opened.id }
  const [autosave] = useState(
    () =>
      new Autosave<Draft>(
        {
          send: async (draft, revision) => {
            const saved = await call(savePublication, { params, body: { revision, ...bodyOf(draft) } })
            queries.setQueryData(publicationQuery(newsletterId, opened.id).queryKey, saved)
            return saved
          },
          keep: (draft, revision) => keepCopy(opened.id, draft, revision),
          forget: () => forgetCopy(opened.id),
        },
        opened.revision,
      ),
  )
  const state = useSyncExternalStore(autosave.subscribe, autosave.snapshot)
  useEffect(() => saveOnLeaving(autosave), [autosave])
  return [autosave, state]
}

/** Saves when the page is hidden, left or back online. What cannot be sent in time stays on this device. */
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
    // What could not be saved waits on this device for the next opening; nobody else may save it meanwhile.
    void autosave.flush().finally(() => autosave.stop())
  }
}
