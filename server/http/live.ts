import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Listener } from '../database/listener.ts'
import { AppError } from '../errors.ts'

/** A browser that hears nothing for two beats no longer calls its figures live. */
const BEAT_MS = 1_000
/** Whether members may still listen is asked with every so many beats, since a session can also run out. */
const BEATS_OF_A_CHECK = 25
/** The limit of one user or API key. A browser tab needs one stream. */
const MAX_STREAMS = 30
/** A client with more unread bytes is disconnected. A browser connects again by itself. */
const MAX_UNREAD_BYTES = 64 * 1024

const BEAT = 'event: beat\ndata: still here\n\n'

interface Stream {
  reply: FastifyReply
  client: string
  mayStay: () => Promise<boolean>
}

/** Server-Sent Events. They tell the owner app which part of a newsletter changed, in whichever process it happened. */
export class LiveEvents {
  readonly #streams = new Map<string, Set<Stream>>()
  readonly #heartbeat: NodeJS.Timeout
  #beats = 0
  #isDeaf = false

  constructor(listener: Listener) {
    const heard = (payload: string) => {
      const [newsletterId = '', kind = ''] = payload.split(' ')
      this.#send(newsletterId, `event: changed\ndata: ${kind}\n\n`)
    }
    listener.on('live', heard, () => {
      this.#isDeaf = false
    })
    listener.on('rights_ended', (client) => void this.endRemoved(client))
    listener.onLost(() => {
      this.#isDeaf = true
      this.#endAll()
    })
    this.#heartbeat = setInterval(() => {
      this.#beats += 1
      for (const { reply } of this.#all()) write(reply, BEAT)
      if (this.#beats % BEATS_OF_A_CHECK === 0) void this.endRemoved()
    }, BEAT_MS)
    this.#heartbeat.unref()
  }

  /**
   * Keeps the reply open and writes to it until the client leaves.
   * @throws AppError too_many_requests; database_away while changes would go by unheard
   */
  stream(newsletterId: string, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isDeaf) throw new AppError('database_away')
    const client = request.caller?.user?.id ?? request.caller?.key?.id ?? ''
    if (this.#of(client).length >= MAX_STREAMS) throw new AppError('too_many_requests', { params: { seconds: 60 } })
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    reply.hijack()
    for (const [name, value] of Object.entries(reply.headers(headers).getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.raw.writeHead(200).write('retry: 2000\n\n')
    const streams = this.#streams.get(newsletterId) ?? new Set()
    const stream = { reply, client, mayStay: () => request.mayStay() }
    this.#streams.set(newsletterId, streams.add(stream))
    request.raw.on('close', () => {
      streams.delete(stream)
      if (streams.size === 0) this.#streams.delete(newsletterId)
    })
  }

  /**
   * Ends the streams of removed members and of ended sessions, of all or of one client: the id of a user or of an API key. The database
   * is asked for each, so no beat waits for it.
   */
  async endRemoved(client?: string): Promise<void> {
    const asked = client === undefined ? this.#all() : this.#of(client)
    for (const { reply, mayStay } of asked) if (!(await mayStay())) reply.raw.end()
  }

  stop(): void {
    clearInterval(this.#heartbeat)
    this.#endAll()
  }

  #all(): Stream[] {
    return [...this.#streams.values()].flatMap((each) => [...each])
  }

  #endAll(): void {
    for (const { reply } of this.#all()) reply.raw.end()
  }

  /** Mail of the server itself belongs to no newsletter: `*` is everybody. */
  #send(newsletterId: string, text: string): void {
    const streams = newsletterId === '*' ? this.#all() : (this.#streams.get(newsletterId) ?? [])
    for (const { reply } of streams) write(reply, text)
  }

  #of(client: string): Stream[] {
    return this.#all().filter((stream) => stream.client === client)
  }
}

function write({ raw }: FastifyReply, text: string): void {
  if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
  else raw.write(text)
}
