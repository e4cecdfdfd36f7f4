/** A draft that the server does not have yet, and the revision that it builds on. */
export interface LocalCopy<Draft> {
  draft: Draft
  revision: number
  /** What was sent on top of that revision and had no answer when this was stored. Any of it may have arrived. */
  sent?: Draft[]
  /** When it was written, in milliseconds since 1970. */
  at: number
}

const PREFIX = 'unsaved:'
const keyOf = (publicationId: string) => PREFIX + publicationId

/**
 * Stores an unsaved draft on this device at once, so that a crash loses nothing. Does nothing when the browser's storage is
 * full or forbidden: the draft still goes to the server.
 */
export function storeLocalCopy<Draft>(publicationId: string, copy: Omit<LocalCopy<Draft>, 'at'>): void {
  try {
    localStorage.setItem(keyOf(publicationId), JSON.stringify({ ...copy, at: Date.now() }))
  } catch {
    // The earlier copy, if there is one, stays.
  }
}

/** The unsaved draft of a publication, or null. */
export function readLocalCopy<Draft>(publicationId: string): LocalCopy<Draft> | null {
  try {
    const copy: unknown = JSON.parse(localStorage.getItem(keyOf(publicationId)) ?? 'null')
    return isCopy<Draft>(copy) ? copy : null
  } catch {
    return null
  }
}

export const removeLocalCopy = (publicationId: string) => localStorage.removeItem(keyOf(publicationId))

/** The publications of which this device has words that the server does not have. */
export const publicationsWithLocalCopy = (): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))

const isCopy = <Draft>(copy: unknown): copy is LocalCopy<Draft> =>
  typeof copy === 'object' &&
  copy !== null &&
  'draft' in copy &&
  'revision' in copy &&
  typeof copy.revision === 'number'
