import { forgetCopy, type LocalCopy, readCopy } from '../local-copy.ts'
import { type Draft, draftOf, type Publication, sameDraft } from './draft.ts'

/**
 * What an editor begins with. `restored`: words that were kept here and never saved, on top of what the server has.
 * `forked`: such words, but somebody saved something else meanwhile.
 */
export interface Opening {
  kind: 'plain' | 'restored' | 'forked'
  draft: Draft
  revision: number
  /** When the kept words were written. */
  writtenAt: Date | null
}

export function openingOf(publication: Publication): Opening {
  const server = draftOf(publication)
  const copy = readCopy<Draft>(publication.id)
  const opening = chooseOpening(server, publication.revision, copy)
  if (opening.kind === 'plain') forgetCopy(publication.id)
  return opening
}

/** The same, as values in and values out. */
export function chooseOpening(server: Draft, revision: number, copy: LocalCopy<Draft> | null): Opening {
  if (!copy || sameDraft(copy.draft, server)) return { kind: 'plain', draft: server, revision, writtenAt: null }
  const writtenAt = new Date(copy.at)
  return copy.revision === revision
    ? { kind: 'restored', draft: copy.draft, revision, writtenAt }
    : { kind: 'forked', draft: copy.draft, revision: copy.revision, writtenAt }
}
