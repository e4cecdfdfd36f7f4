/** The server writes every second. Whoever hears nothing for two may have missed something. */
const DOUBT_MS = 2_000
/** A connection that is silent for longer was lost without a word. */
const SILENCE_MS = 6_000
const REOPEN_MS = 2_000
const MAX_REOPEN_MS = 30_000
/** `EventSource.CLOSED`: the browser will not open it again. */
const CLOSED = 2

/** What this uses of an EventSource. */
export interface Source {
  readonly readyState: number
  addEventListener(name: string, heard: (event: Event) => void): void
  close(): void
}

interface Options {
  open(): Source
  /** The stream is open, for the first time or once more: from now on changes are heard. */
  onOpen(): void
  /** It was silent for a moment and is not any more. Nothing was missed, since what is said comes in its order. */
  onHeard(): void
  /** It is not, or is silent, and changes may go by unheard. */
  onLost(): void
  onChanged(kind: string): void
}

/**
 * The stream of live events, kept open. A browser opens it again by itself after a broken connection, but neither after a refusal, as
 * while the server starts, nor after a connection that went silent.
 */
export class LiveStream {
  #source: Source | null = null
  #doubt: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #reopening: ReturnType<typeof setTimeout> | undefined
  #waitMs = REOPEN_MS

  constructor(private readonly options: Options) {
    this.#connect()
  }

  /** Opens it now, however long it would have waited. */
  reopen(): void {
    this.#waitMs = REOPEN_MS
    this.#connect()
  }

  /** The network is away, and the browser says so. */
  lose(): void {
    this.stop()
    this.options.onLost()
  }

  stop(): void {
    clearTimeout(this.#doubt)
    clearTimeout(this.#silence)
    clearTimeout(this.#reopening)
    this.#source?.close()
    this.#source = null
  }

  #connect(): void {
    this.stop()
    const source = this.options.open()
    this.#source = source
    // What a replaced stream still says is not heard.
    const on = (name: string, heard: (data: string) => void) =>
      source.addEventListener(name, (event) => {
        if (this.#source === source) heard(event instanceof MessageEvent ? String(event.data) : '')
      })
    on('open', () => {
      this.#waitMs = REOPEN_MS
      this.#listen()
      this.options.onOpen()
    })
    on('beat', () => this.#heard())
    on('changed', (kind) => {
      this.#heard()
      this.options.onChanged(kind)
    })
    on('error', () => {
      this.options.onLost()
      if (source.readyState === CLOSED) this.#reopenLater()
      else this.#listen()
    })
    this.#listen()
  }

  #heard(): void {
    this.#listen()
    this.options.onHeard()
  }

  #listen(): void {
    clearTimeout(this.#doubt)
    clearTimeout(this.#silence)
    this.#doubt = setTimeout(() => this.options.onLost(), DOUBT_MS)
    this.#silence = setTimeout(() => {
      this.options.onLost()
      this.#connect()
    }, SILENCE_MS)
  }

  #reopenLater(): void {
    clearTimeout(this.#doubt)
    clearTimeout(this.#silence)
    this.#reopening = setTimeout(() => this.#connect(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_REOPEN_MS)
  }
}
