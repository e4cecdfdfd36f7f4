import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Listener } from '../database/listener.ts'

const HEARTBEAT_MS = 25_000

/** Server-Sent Events: tells the owner app which part of a newsletter changed, on whichever process it happened. */
export class LiveEvents {
  readonly #streams = new Map<string, Set<FastifyReply>>()
  readonly #heartbeat: NodeJS.Timeout

  constructor(listener: Listener) {
    listener.on('live', (payload) => {
      const [newsletterId = '', kind = ''] = payload.split(' ')
      this.#send(newsletterId, `event: changed\ndata: ${kind}\n\n`)
    })
    this.#heartbeat = setInterval(() => {
      for (const id of this.#streams.keys()) this.#send(id, ': still here\n\n')
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Keeps the reply open and writes to it until the reader leaves. */
  stream(newsletterId: string, request: FastifyRequest, reply: FastifyReply): void {
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    reply.hijack()
    reply.raw.writeHead(200, headers).write('retry: 2000\n\n')
    const streams = this.#streams.get(newsletterId) ?? new Set()
    this.#streams.set(newsletterId, streams.add(reply))
    request.raw.on('close', () => {
      streams.delete(reply)
      if (streams.size === 0) this.#streams.delete(newsletterId)
    })
  }

  stop(): void {
    clearInterval(this.#heartbeat)
    for (const streams of this.#streams.values()) for (const reply of streams) reply.raw.end()
  }

  #send(newsletterId: string, text: string): void {
    for (const reply of this.#streams.get(newsletterId) ?? []) reply.raw.write(text)
  }
}
