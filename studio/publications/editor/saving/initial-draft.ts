import type { Publication } from '../../queries.ts'
import { type Draft, draftOf, sameDraft } from '../draft.ts'
import { adoptLocalCopy, type LocalCopy, readLocalCopies, removeLocalCopy } from './local-copy.ts'

/**
 * What an editor starts with. `saved`: the server's version. `restored`: an unsaved draft from this device that builds on
 * the server's version. `conflict`: an unsaved draft from this device, but somebody else has saved since.
 */
export interface InitialDraft {
  kind: 'saved' | 'restored' | 'conflict'
  draft: Draft
  revision: number
  /** Drafts sent before the page was closed, which may still arrive. */
  sent: Draft[]
  /** When the unsaved draft was written. */
  writtenAt: Date | null
}

export function initialDraftOf(publication: Publication): InitialDraft {
  const server = draftOf(publication)
  for (const copy of readLocalCopies<Draft>(publication.id)) {
    const opening = chooseInitialDraft(server, publication.revision, copy)
    adoptLocalCopy(publication.id, copy)
    if (opening.kind !== 'saved') return opening
    removeLocalCopy(publication.id)
  }
  return chooseInitialDraft(server, publication.revision, null)
}

/** The same rule without storage: values in, values out. */
export function chooseInitialDraft(server: Draft, revision: number, copy: LocalCopy<Draft> | null): InitialDraft {
  if (!copy || sameDraft(copy.draft, server))
    return { kind: 'saved', draft: server, revision, sent: [], writtenAt: null }
  const { draft, sent = [] } = copy
  const writtenAt = new Date(copy.at)
  // The server's version was sent from here before the page was closed, so nobody else has saved.
  const arrived = copy.revision < revision && sent.some((one) => sameDraft(one, server))
  return copy.revision === revision || arrived
    ? { kind: 'restored', draft, revision, sent: [...sent, draft], writtenAt }
    : { kind: 'conflict', draft, revision: copy.revision, sent: [], writtenAt }
}
