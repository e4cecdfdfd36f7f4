import { ApiError } from '../../../api.ts'

/** What the writer sees of the saving. */
export type SaveState =
  | { kind: 'saved'; at: Date | null }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** No answer: the words are kept on this device and saved as soon as there is one. */
  | { kind: 'offline' }
  /** Somebody else saved meanwhile; nothing is overwritten until the writer chooses. */
  | { kind: 'conflict' }
  /** The server will not take it as it is; the next change is tried again. */
  | { kind: 'refused'; error: unknown }

export interface AutosaveOptions<Draft> {
  /** Sends a draft that stands on `revision`; answers the new revision. Throws as `call` does. */
  send: (draft: Draft, revision: number) => Promise<{ revision: number }>
  /** Keeps what is not saved yet on this device, and what was sent since `revision` and has no answer yet. */
  keepLocally: (draft: Draft, revision: number, sent: Draft[]) => void
  /** Called when nothing on this device is newer than the server. */
  forgetLocal: () => void
  /**
   * The revision the server has, when a refusal as edited_meanwhile shows that what it has is one of these drafts: a save
   * of ours that arrived though its answer did not. Null when somebody else wrote it.
   */
  savedRevision?: (refusal: ApiError, sent: Draft[]) => number | null
}

const SAVE_AFTER_MS = 1_000
const RETRY_MS = [2_000, 5_000, 10_000, 30_000]
/** How many drafts without an answer are remembered. */
const SENT_KEPT = 3

/**
 * Saves what is written, a moment after the last key, and never loses any of it.
 *
 * Every change is kept on this device at once. One save is in flight at a time, and what was written meanwhile goes with
 * the next. Without an answer it tries again by itself, ever more slowly, and at once when the browser is back online. A
 * save that stands on an old revision stops everything until `goOn` says which words stay.
 */
export class Autosave<Draft> {
  state: SaveState = { kind: 'saved', at: null }
  #waiting: Draft | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #inFlight: Promise<void> | null = null
  #failures = 0
  /** Sent since the last answer: any of them may have arrived. */
  #sent: Draft[]
  readonly #listeners = new Set<() => void>()

  constructor(
    private readonly options: AutosaveOptions<Draft>,
    private revision: number,
    sent: Draft[] = [],
  ) {
    this.#sent = sent
  }

  /** The revision the server is known to have. */
  get baseRevision(): number {
    return this.revision
  }

  /** True while something here is not on the server yet. */
  get unsaved(): boolean {
    return this.#waiting !== null || this.#inFlight !== null
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  snapshot = (): SaveState => this.state

  /** Notes that the writer changed something. */
  change(draft: Draft): void {
    this.#waiting = draft
    this.#keep(draft)
    if (this.state.kind === 'conflict') return
    if (!this.#inFlight && this.state.kind !== 'offline') this.#show({ kind: 'unsaved' })
    this.#schedule(SAVE_AFTER_MS)
  }

  /** Saves now what is waiting, and resolves when nothing is on its way any more. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#inFlight) await this.#inFlight
    if (this.#waiting !== null && this.state.kind !== 'conflict') await this.#save()
  }

  /**
   * Saves something beside the words, such as the language, on top of everything that is written: the words wait for it,
   * so that the two do not meet as if two people had written. Throws what `save` throws.
   */
  async saveAlongside<Saved extends { revision: number }>(save: (revision: number) => Promise<Saved>): Promise<Saved> {
    await this.flush()
    const saving = save(this.revision)
    this.#inFlight = saving.then(
      ({ revision }) => this.#accepted(revision),
      () => {
        this.#inFlight = null
        if (this.#waiting !== null) this.#schedule(SAVE_AFTER_MS)
      },
    )
    return saving
  }

  /** Stops the conflict: what is waiting, or what is given, is saved over the revision that is there now. */
  resolveConflict(revision: number, draft: Draft | null): void {
    this.revision = revision
    this.#sent = []
    this.#waiting = draft
    if (draft === null) {
      this.options.forgetLocal()
      this.#show({ kind: 'saved', at: new Date() })
      return
    }
    this.#keep(draft)
    this.#show({ kind: 'unsaved' })
    void this.flush()
  }

  /** Says that what is here was found to stand on an older revision than the server has. */
  startConflict(draft: Draft): void {
    this.#waiting = draft
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
    const draft = this.#waiting
    if (draft === null) return Promise.resolve()
    this.#waiting = null
    this.#sent = [...this.#sent, draft].slice(-SENT_KEPT)
    this.#keep(draft)
    this.#show({ kind: 'saving' })
    this.#inFlight = this.options.send(draft, this.revision).then(
      ({ revision }) => this.#accepted(revision),
      (error: unknown) => this.#failed(draft, error),
    )
    return this.#inFlight
  }

  #accepted(revision: number): void {
    this.#inFlight = null
    this.#failures = 0
    this.revision = revision
    this.#sent = []
    if (this.#waiting === null) {
      this.options.forgetLocal()
      this.#show({ kind: 'saved', at: new Date() })
      return
    }
    this.#keep(this.#waiting)
    this.#show({ kind: 'unsaved' })
    this.#schedule(SAVE_AFTER_MS)
  }

  #failed(draft: Draft, error: unknown): void {
    this.#inFlight = null
    const newer = this.#waiting !== null
    this.#waiting ??= draft
    if (error instanceof ApiError && error.code === 'edited_meanwhile') {
      const ours = this.options.savedRevision?.(error, this.#sent) ?? null
      if (ours === null) this.#show({ kind: 'conflict' })
      else this.resolveConflict(ours, this.#waiting)
      return
    }
    if (isTemporary(error)) {
      this.#show({ kind: 'offline' })
      this.#schedule(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? SAVE_AFTER_MS)
      this.#failures += 1
      return
    }
    this.#show({ kind: 'refused', error })
    if (newer) this.#schedule(SAVE_AFTER_MS)
  }

  #keep(draft: Draft): void {
    this.options.keepLocally(draft, this.revision, this.#sent)
  }

  #show(state: SaveState): void {
    this.state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Another try can help: there was no answer, or the server is in trouble or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'offline' || error.status >= 500 || error.status === 429)
