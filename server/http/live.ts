import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Listener } from '../database/listener.ts'
import { AppError } from '../errors.ts'

const HEARTBEAT_MS = 25_000
/** The limit of one user or API key. A browser tab needs one stream. */
const MAX_STREAMS = 30
/** A client with more unread bytes is disconnected. A browser connects again by itself. */
const MAX_UNREAD_BYTES = 64 * 1024

interface Stream {
  reply: FastifyReply
  client: string
  mayStay: () => Promise<boolean>
}

/** Server-Sent Events. They tell the owner app which part of a newsletter changed, in whichever process it happened. */
export class LiveEvents {
  readonly #streams = new Map<string, Set<Stream>>()
  readonly #heartbeat: NodeJS.Timeout

  constructor(listener: Listener, heartbeatMs = HEARTBEAT_MS) {
    listener.on('live', (payload) => {
      const [newsletterId = '', kind = ''] = payload.split(' ')
      this.#send(newsletterId, `event: changed\ndata: ${kind}\n\n`)
    })
    this.#heartbeat = setInterval(() => void this.beat(), heartbeatMs)
    this.#heartbeat.unref()
  }

  /** Keeps the reply open and writes to it until the client leaves. @throws AppError too_many_requests */
  stream(newsletterId: string, request: FastifyRequest, reply: FastifyReply): void {
    const client = request.caller?.user?.id ?? request.caller?.key?.id ?? ''
    if (this.#countOf(client) >= MAX_STREAMS) throw new AppError('too_many_requests', { params: { seconds: 60 } })
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

  /** Writes to every stream to keep it open. Ends the streams of removed members and of ended sessions. */
  async beat(): Promise<void> {
    const streams = [...this.#streams.values()].flatMap((each) => [...each])
    for (const { reply, mayStay } of streams) {
      if (await mayStay()) write(reply, ': still here\n\n')
      else reply.raw.end()
    }
  }

  stop(): void {
    clearInterval(this.#heartbeat)
    for (const streams of this.#streams.values()) for (const { reply } of streams) reply.raw.end()
  }

  #send(newsletterId: string, text: string): void {
    for (const { reply } of this.#streams.get(newsletterId) ?? []) write(reply, text)
  }

  #countOf(client: string): number {
    let count = 0
    for (const streams of this.#streams.values()) for (const stream of streams) if (stream.client === client) count += 1
    return count
  }
}

function write({ raw }: FastifyReply, text: string): void {
  if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
  else raw.write(text)
}
