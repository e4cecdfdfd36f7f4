import type { Message, Outcome } from '../mail/relay.ts'
import { relayAddress } from '../mail/smtp/address.ts'
import { type SmtpOptions, SmtpRelay } from '../mail/smtp/smtp-relay.ts'
import { type Limits, usualLimits } from '../mail/smtp/wire.ts'
import {
  type Peer,
  type ScriptedServer,
  type ServerOptions,
  serve,
  startScriptedServer,
  type Taken,
} from './scripted-server.ts'

/** The usual time limits, with some replaced. */
export const limits = (some: Partial<Limits>): Limits => ({ ...usualLimits, ...some })

/** Our SMTP client and a server that a test scripts; `stop` closes both. */
export class SmtpHarness {
  readonly taken: Taken[] = []
  readonly #open: { stop(): void }[] = []

  stop(): void {
    for (const each of this.#open.splice(0).reverse()) each.stop()
  }

  async server(serveEach: (peer: Peer) => Promise<void>, secure = false): Promise<ScriptedServer> {
    const server = await startScriptedServer(serveEach, secure)
    this.#open.push(server)
    return server
  }

  /** A server that follows RFC 5321 except where the options say otherwise. */
  polite(options: ServerOptions = {}): Promise<ScriptedServer> {
    return this.server((peer) => serve(peer, this.taken, options))
  }

  /** A client; it has one connection unless `options` say otherwise. */
  client(at: string | { port: number }, options: Partial<SmtpOptions> = {}): SmtpRelay {
    const url = typeof at === 'string' ? at : `smtp://127.0.0.1:${at.port}`
    const relay = new SmtpRelay(relayAddress(url), { connections: 1, ...options })
    this.#open.push({ stop: () => relay.close() })
    return relay
  }
}

export interface Sent {
  outcome: Outcome
  /** How often the client reported that its text begins. */
  begun: number
}

export const messageTo = (to: string, raw = 'Subject: Low tide\r\n\r\nNow.\r\n'): Message => ({
  from: 'ines@lowwater.test',
  to,
  raw: Buffer.from(raw),
})

/** Sends one to each, all at once. */
export function sendTo(relay: SmtpRelay, ...names: string[]): Promise<Sent[]> {
  return Promise.all(
    names.map(async (name) => {
      let begun = 0
      const outcome = await relay.send(messageTo(`${name}@example.org`), () => {
        begun += 1
      })
      return { outcome, begun }
    }),
  )
}

/** An outcome in a few words: its code, or what kind it is. */
export function briefly({ outcome }: Sent): string {
  if (outcome.kind === 'answered') return `${outcome.code} ${outcome.command}`
  return outcome.kind === 'broken' ? `broken ${outcome.written ? 'written' : 'unwritten'}` : outcome.kind
}
