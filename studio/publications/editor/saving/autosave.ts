import { ApiError } from '../../../api.ts'

/** What the header of the editor shows about saving. */
export type SaveState =
  | { kind: 'saved'; at: Date | null }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The server does not answer. The draft stays on this device until it does. */
  | { kind: 'offline' }
  /** Somebody else saved in the meantime. Nothing is overwritten until the writer chooses a version. */
  | { kind: 'conflict' }
  /** The server refused this draft. The next change is sent again. */
  | { kind: 'refused'; error: unknown }

export interface AutosaveOptions<Draft> {
  /** The revision that the server has when the editor opens. */
  revision: number
  /** Drafts that were sent on top of it earlier and may still arrive. */
  sent?: Draft[]
  /** Saves a draft on top of `revision`, and resolves with the new revision. Rejects as `call` does. */
  send: (draft: Draft, revision: number) => Promise<{ revision: number }>
  /** Stores the unsaved draft on this device, with what was sent since `revision` and has no answer yet. */
  keepLocally: (draft: Draft, revision: number, sent: Draft[]) => void
  /** Called when the server has everything that this device has. */
  forgetLocal: () => void
  /**
   * Called when the server refuses a save with `edited_meanwhile`. Returns the server's revision when its content is one of
   * `sent`: then a save of ours arrived, and only its answer was lost. Returns null when somebody else wrote it.
   */
  savedRevision?: (refusal: ApiError, sent: Draft[]) => number | null
}

/** How long the writer must pause before the draft is saved. */
const SAVE_AFTER_MS = 1_000
/** How long to wait before each new attempt while the server does not answer; the last one repeats. */
const RETRY_AFTER_MS = [2_000, 5_000, 10_000, 30_000]
/** How many unanswered drafts are remembered. */
const MAX_UNANSWERED = 3

/**
 * Saves a draft a moment after the last key, and never loses a change.
 *
 * Every change is stored on this device at once. One save is in flight at a time; later changes go with the next one.
 * While the server does not answer, it tries again by itself at growing intervals, and at once when the browser is online
 * again. When somebody else has saved, it stops until `resolveConflict` says which draft stays.
 */
export class Autosave<Draft> {
  state: SaveState = { kind: 'saved', at: null }
  #unsaved: Draft | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #inFlight: Promise<void> | null = null
  #failures = 0
  #revision: number
  /** Sent since the last answer. Any of them may have arrived. */
  #unanswered: Draft[]
  readonly #listeners = new Set<() => void>()

  constructor(private readonly options: AutosaveOptions<Draft>) {
    this.#revision = options.revision
    this.#unanswered = options.sent ?? []
  }

  /** The last revision that the server confirmed; the next save builds on it. */
  get baseRevision(): number {
    return this.#revision
  }

  /** Whether this device has a change that the server has not confirmed. */
  get unsaved(): boolean {
    return this.#unsaved !== null || this.#inFlight !== null
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  snapshot = (): SaveState => this.state

  /** Takes the draft after a change, and saves it once the writer pauses. */
  change(draft: Draft): void {
    this.#unsaved = draft
    this.#keepLocally(draft)
    if (this.state.kind === 'conflict') return
    if (!this.#inFlight && this.state.kind !== 'offline') this.#show({ kind: 'unsaved' })
    this.#schedule(SAVE_AFTER_MS)
  }

  /** Saves now, without waiting for a pause. Resolves when no save is in flight any more. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    // Another flush that waited for the same save may have begun the next one.
    while (this.#inFlight) await this.#inFlight
    if (this.#unsaved !== null && this.state.kind !== 'conflict') await this.#save()
  }

  /**
   * Saves something other than the draft, such as the language. The draft is saved before it, and later changes wait for
   * it, so that the two saves never conflict with each other. Rejects as `save` does.
   */
  async saveAlongside<Saved extends { revision: number }>(save: (revision: number) => Promise<Saved>): Promise<Saved> {
    await this.flush()
    const saving = save(this.#revision)
    this.#inFlight = saving.then(
      ({ revision }) => this.#accepted(revision),
      () => {
        this.#inFlight = null
        if (this.#unsaved !== null) this.#schedule(SAVE_AFTER_MS)
      },
    )
    return saving
  }

  /** Ends a conflict. `draft` is saved on top of `revision`; null means that the server's version stays. */
  resolveConflict(revision: number, draft: Draft | null): void {
    this.#revision = revision
    this.#unanswered = []
    this.#unsaved = draft
    if (draft === null) {
      this.options.forgetLocal()
      this.#show({ kind: 'saved', at: new Date() })
      return
    }
    this.#keepLocally(draft)
    this.#show({ kind: 'unsaved' })
    void this.flush()
  }

  /** Starts a conflict: `draft` builds on an older revision than the server has. */
  startConflict(draft: Draft): void {
    this.#unsaved = draft
    this.#show({ kind: 'conflict' })
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), ms)
  }

  #save(): Promise<void> {
    const draft = this.#unsaved
    if (draft === null) return Promise.resolve()
    this.#unsaved = null
    this.#unanswered = [...this.#unanswered, draft].slice(-MAX_UNANSWERED)
    this.#keepLocally(draft)
    this.#show({ kind: 'saving' })
    this.#inFlight = this.options.send(draft, this.#revision).then(
      ({ revision }) => this.#accepted(revision),
      (error: unknown) => this.#failed(draft, error),
    )
    return this.#inFlight
  }

  #accepted(revision: number): void {
    this.#inFlight = null
    this.#failures = 0
    this.#revision = revision
    this.#unanswered = []
    if (this.#unsaved === null) {
      this.options.forgetLocal()
      this.#show({ kind: 'saved', at: new Date() })
      return
    }
    this.#keepLocally(this.#unsaved)
    this.#show({ kind: 'unsaved' })
    this.#schedule(SAVE_AFTER_MS)
  }

  #failed(draft: Draft, error: unknown): void {
    this.#inFlight = null
    const newer = this.#unsaved !== null
    this.#unsaved ??= draft
    if (error instanceof ApiError && error.code === 'edited_meanwhile') {
      const ours = this.options.savedRevision?.(error, this.#unanswered) ?? null
      if (ours === null) this.#show({ kind: 'conflict' })
      else this.resolveConflict(ours, this.#unsaved)
      return
    }
    if (isTemporary(error)) {
      this.#show({ kind: 'offline' })
      this.#schedule(RETRY_AFTER_MS[Math.min(this.#failures, RETRY_AFTER_MS.length - 1)] ?? SAVE_AFTER_MS)
      this.#failures += 1
      return
    }
    this.#show({ kind: 'refused', error })
    if (newer) this.#schedule(SAVE_AFTER_MS)
  }

  #keepLocally(draft: Draft): void {
    this.options.keepLocally(draft, this.#revision, this.#unanswered)
  }

  #show(state: SaveState): void {
    this.state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Whether another attempt may succeed: the server did not answer, failed, or is busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'offline' || error.status >= 500 || error.status === 429)
