import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { savePublication } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { publicationQuery, slotsKey } from '../queries.ts'
import type { Draft } from './draft.ts'
import type { Autosave } from './saving/autosave.ts'

/** The details to save, or an earlier version; what is absent stays as it is. */
export type DetailsPart = Pick<
  z.input<typeof savePublication.body>,
  'subject' | 'language' | 'slug' | 'coverMediaId' | 'drawsCover' | 'title' | 'subtitle' | 'content' | 'restored'
>
export type SaveDetails = (part: DetailsPart) => Promise<void>

/** Saves details after the draft, so that the two saves never conflict. Rejects as `call` does. */
export function useDetails(newsletterId: string, publicationId: string, autosave: Autosave<Draft>): SaveDetails {
  const queries = useQueryClient()
  const params = { newsletterId, publicationId }
  return async (part) => {
    const saved = await autosave.saveAlongside((revision) =>
      call(savePublication, { params, body: { revision, ...part } }),
    )
    queries.setQueryData(publicationQuery(newsletterId, publicationId).queryKey, saved)
    // The words above a sponsor's are in the language of the publication.
    if (part.language) await queries.invalidateQueries({ queryKey: slotsKey(newsletterId, publicationId) })
  }
}
