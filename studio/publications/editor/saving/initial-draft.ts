import type { Publication } from '../../queries.ts'
import { type Draft, draftOf, sameDraft } from '../draft.ts'
import { type LocalCopy, readLocalCopy, removeLocalCopy } from './local-copy.ts'

/**
 * What an editor begins with. `restored`: words that were kept here and never saved, on top of what the server has.
 * `forked`: such words, but somebody saved something else meanwhile.
 */
export interface InitialDraft {
  kind: 'plain' | 'restored' | 'forked'
  draft: Draft
  revision: number
  /** What may still be on its way to the server from the last time. */
  sent: Draft[]
  /** When the kept words were written. */
  writtenAt: Date | null
}

export function initialDraftOf(publication: Publication): InitialDraft {
  const server = draftOf(publication)
  const copy = readLocalCopy<Draft>(publication.id)
  const opening = chooseInitialDraft(server, publication.revision, copy)
  if (opening.kind === 'plain') removeLocalCopy(publication.id)
  return opening
}

/** The same, as values in and values out. */
export function chooseInitialDraft(server: Draft, revision: number, copy: LocalCopy<Draft> | null): InitialDraft {
  if (!copy || sameDraft(copy.draft, server))
    return { kind: 'plain', draft: server, revision, sent: [], writtenAt: null }
  const { draft, sent = [] } = copy
  const writtenAt = new Date(copy.at)
  // What the server has was sent from here before the page was closed: nobody else wrote meanwhile.
  const arrived = copy.revision < revision && sent.some((one) => sameDraft(one, server))
  return copy.revision === revision || arrived
    ? { kind: 'restored', draft, revision, sent: [...sent, draft], writtenAt }
    : { kind: 'forked', draft, revision: copy.revision, sent: [], writtenAt }
}
