import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { Agent, request } from 'node:https'
import type { Socket } from 'node:net'
import type { Message, Outcome, Relay } from '../../mail/relay.ts'
import { printable } from '../../mail/smtp/replies.ts'
import { messageOf } from '../../start-error.ts'
import type { ProviderKind } from '../contract.ts'
import type { ApiAnswer, ApiRequest, HttpApi } from './provider.ts'

export interface HttpOptions {
  kind: ProviderKind
  connections: number
  /** Stands in the place of every provider: `{gateway}/{kind}/…` is called instead. */
  gateway: string | null
  /** Milliseconds. */
  limits?: { connectMs: number; textMs: number; answerMs: number }
}

const usualLimits = { connectMs: 15_000, textMs: 120_000, answerMs: 60_000 }
/** Shorter than the time for which providers keep an idle connection, so that none closes while we write to it. */
const IDLE_MS = 4_000
const MAX_ANSWER_BYTES = 64 * 1024

/** A relay that is a provider's HTTP API. Its connections stay open between messages. */
export class HttpRelay implements Relay {
  readonly capacity: number
  readonly #agent: PlainAgent
  readonly #base: URL

  constructor(
    private readonly api: HttpApi,
    private readonly options: HttpOptions,
  ) {
    const { kind, gateway, connections } = options
    this.capacity = connections
    this.#base = new URL(gateway ? `${gateway.replace(/\/+$/, '')}/${kind}` : `https://${api.host}`)
    const kept = { keepAlive: true, maxSockets: connections, timeout: IDLE_MS }
    this.#agent = this.#base.protocol === 'https:' ? new Agent(kept) : new PlainAgent(kept)
  }

  async send(
    message: Message,
    begun: () => void = () => {},
    answered: (outcome: Outcome) => void = () => {},
  ): Promise<Outcome> {
    try {
      const asked = await this.api.compose(message)
      return await this.#post(asked, begun, answered)
    } catch (error) {
      // For example, a key contains a character that no header may contain.
      const outcome = { kind: 'refused' as const, text: messageOf(error) }
      answered(outcome)
      return outcome
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(
    { path, headers, body }: ApiRequest,
    begun: () => void,
    answered: (outcome: Outcome) => void,
  ): Promise<Outcome> {
    const limits = this.options.limits ?? usualLimits
    const behind = this.options.gateway ? { 'x-forwarded-host': this.api.host } : {}
    const send = this.#base.protocol === 'https:' ? request : requestPlain
    const call = send(this.#base, {
      method: 'POST',
      agent: this.#agent,
      path: `${this.#base.pathname.replace(/\/$/, '')}${path}`,
      headers: { ...headers, ...behind, 'content-length': body.length, 'user-agent': 'Tirage' },
    })
    return new Promise((resolve) => {
      let settled = false
      let written = false
      const settle = (outcome: Outcome) => {
        if (settled) return
        settled = true
        answered(outcome)
        resolve(outcome)
      }
      let clock: NodeJS.Timeout | undefined
      const within = (limitMs: number, what: string) => {
        clearTimeout(clock)
        clock = setTimeout(() => call.destroy(new Error(`The provider did not ${what} in time`)), limitMs)
      }
      within(limits.connectMs, 'connect')
      call.on('error', (error) => settle(failure(error, written, this.api.host)))
      call.on('response', (response) => this.#read(call, response, settle))
      call.on('upgrade', (_response, socket) => {
        socket.destroy()
        settle(failure(new Error('The provider changed to another protocol'), written, this.api.host))
      })
      call.on('close', () => clearTimeout(clock))
      call.on('finish', () => within(limits.answerMs, 'answer'))
      onceConnected(call, () => {
        try {
          begun()
        } catch (error) {
          return void call.destroy(error instanceof Error ? error : new Error(String(error)))
        }
        written = true
        within(limits.textMs, 'take the text')
        call.end(body)
      })
    })
  }

  #read(call: ClientRequest, response: IncomingMessage, settle: (outcome: Outcome) => void): void {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk)
      else call.destroy(new Error('the answer has no end'))
    })
    const finish = () => settle(this.#outcome(response, Buffer.concat(chunks).toString()))
    response.on('end', finish)
    // The status has arrived, and it says whether the provider took the message.
    response.on('error', finish)
  }

  #outcome({ statusCode = 500, headers }: IncomingMessage, body: string): Outcome {
    const answer: ApiAnswer = { status: statusCode, headers, body }
    try {
      const outcome = this.api.outcome(answer)
      return { ...outcome, text: printable(outcome.text) }
    } catch (error) {
      // Nobody knows what an unexpected answer means. An error that is thrown here would end the process.
      return { kind: 'broken', written: true, text: messageOf(error) }
    }
  }
}

/** Calls `ready` at once for an open connection, and after TLS for a new one. */
function onceConnected(call: ClientRequest, ready: () => void): void {
  call.once('socket', (socket: Socket & { encrypted?: boolean }) => {
    if (socket.connecting) socket.once(socket.encrypted ? 'secureConnect' : 'connect', ready)
    else ready()
  })
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_/

function failure(error: NodeJS.ErrnoException, written: boolean, host: string): Outcome {
  const text = error.message || (error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error))
  if (written) return { kind: 'broken', written, text }
  if (certificateCodes.test(error.code ?? '')) {
    return { kind: 'refused', text: `The certificate of ${host} cannot be trusted: ${text}` }
  }
  return { kind: 'unreachable', text }
}
