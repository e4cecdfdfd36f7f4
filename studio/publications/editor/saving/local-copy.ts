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
const TAB = 'editor-tab'

/** Copies of one publication in several tabs are several: what one tab has saved says nothing of the words of another. */
const keyOf = (publicationId: string) => `${PREFIX}${publicationId}:${tabId()}`
const keysOf = (publicationId: string) =>
  Object.keys(localStorage).filter((key) => publicationIn(key) === publicationId)
const publicationIn = (key: string) => (key.startsWith(PREFIX) ? key.slice(PREFIX.length).split(':')[0] : undefined)

/** The same after a reload, and when the browser opens the tab again. */
function tabId(): string {
  const kept = sessionStorage.getItem(TAB)
  if (kept) return kept
  const made = crypto.getRandomValues(new Uint32Array(2)).join('')
  sessionStorage.setItem(TAB, made)
  return made
}

/**
 * Stores an unsaved draft on this device at once, so that a crash loses nothing. Does nothing when the browser's storage is
 * full or forbidden: the draft still goes to the server.
 */
export function storeLocalCopy<Draft>(
  publicationId: string,
  copy: Omit<LocalCopy<Draft>, 'at'> & { at?: number },
): void {
  try {
    localStorage.setItem(keyOf(publicationId), JSON.stringify({ at: Date.now(), ...copy }))
  } catch {
    // The earlier copy, if there is one, stays.
  }
}

/** The unsaved drafts of a publication, of this tab and of others, the newest first. */
export const readLocalCopies = <Draft>(publicationId: string): LocalCopy<Draft>[] =>
  keysOf(publicationId)
    .flatMap((key) => readCopy<Draft>(key) ?? [])
    .toSorted((one, other) => other.at - one.at)

/** Takes a draft of another tab over into this one, which may have been closed for good. */
export function adoptLocalCopy<Draft>(publicationId: string, copy: LocalCopy<Draft>): void {
  for (const key of keysOf(publicationId)) if (readCopy(key)?.at === copy.at) localStorage.removeItem(key)
  storeLocalCopy(publicationId, copy)
}

function readCopy<Draft>(key: string): LocalCopy<Draft> | null {
  try {
    const copy: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isCopy<Draft>(copy) ? copy : null
  } catch {
    return null
  }
}

/** Forgets the draft of this tab: the server has it. */
export const removeLocalCopy = (publicationId: string) => localStorage.removeItem(keyOf(publicationId))

/** Forgets all drafts of a publication on this device. */
export function removeLocalCopies(publicationId: string): void {
  for (const key of keysOf(publicationId)) localStorage.removeItem(key)
}

/** The publications of which this device has words that the server does not have. */
export const publicationsWithLocalCopy = (): string[] => [
  ...new Set(Object.keys(localStorage).flatMap((key) => publicationIn(key) ?? [])),
]

const isCopy = <Draft>(copy: unknown): copy is LocalCopy<Draft> =>
  typeof copy === 'object' &&
  copy !== null &&
  'draft' in copy &&
  'revision' in copy &&
  typeof copy.revision === 'number'
