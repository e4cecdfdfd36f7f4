/** Words that are not on the server yet, and the revision they stand on. */
export interface LocalCopy<Draft> {
  draft: Draft
  revision: number
  /** What was sent on top of that revision and had no answer when this was kept: any of it may have arrived. */
  sent?: Draft[]
  /** When they were written, in milliseconds since 1970. */
  at: number
}

const keyOf = (publicationId: string) => `unsaved:${publicationId}`

/**
 * Keeps unsaved words on this device: at once, so that a crash loses nothing. Storage that is full or forbidden is no
 * reason to stop writing; the server is still there.
 */
export function storeLocalCopy<Draft>(publicationId: string, draft: Draft, revision: number, sent: Draft[]): void {
  try {
    localStorage.setItem(keyOf(publicationId), JSON.stringify({ draft, revision, sent, at: Date.now() }))
  } catch {
    // The copy before it, if there is one, stays.
  }
}

/** What was kept and not saved, or null. */
export function readLocalCopy<Draft>(publicationId: string): LocalCopy<Draft> | null {
  try {
    const copy: unknown = JSON.parse(localStorage.getItem(keyOf(publicationId)) ?? 'null')
    return isCopy<Draft>(copy) ? copy : null
  } catch {
    return null
  }
}

export const removeLocalCopy = (publicationId: string) => localStorage.removeItem(keyOf(publicationId))

const isCopy = <Draft>(copy: unknown): copy is LocalCopy<Draft> =>
  typeof copy === 'object' &&
  copy !== null &&
  'draft' in copy &&
  'revision' in copy &&
  typeof copy.revision === 'number'
