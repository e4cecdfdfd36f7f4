import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Catcher, startCatcher } from './catcher.ts'
import { Outbox } from './outbox.ts'
import { type Message, type Outcome, Relay, relayAddress } from './relay.ts'

/** The way out for every mail, bulk or single. */
export interface MailTransport {
  /** Where mail is caught because no relay is set; null when a relay is. */
  readonly outbox: Outbox | null
  /** How many messages may be under way at once. */
  readonly lanes: number
  /** `begun` is told before the text leaves: from then on it may arrive. */
  send(message: Message, begun?: () => void): Promise<Outcome>
  stop(): Promise<void>
}

/** To the relay of SMTP_URL; without one, by the same SMTP, to the catcher in this process. */
export function createTransport({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): MailTransport {
  return smtpUrl ? toRelay(smtpUrl) : toCatcher(new Outbox(join(dataDir, 'outbox')))
}

function toRelay(url: string): MailTransport {
  const relay = new Relay(relayAddress(url))
  return { outbox: null, lanes: relay.size, send: (...args) => relay.send(...args), stop: async () => relay.close() }
}

function toCatcher(outbox: Outbox): MailTransport {
  const size = 10
  let started: Promise<{ catcher: Catcher; relay: Relay }> | null = null
  const start = async () => {
    const catcher = await startCatcher(outbox)
    return { catcher, relay: new Relay(relayAddress(`smtp://127.0.0.1:${catcher.port}`), size) }
  }
  return {
    outbox,
    lanes: size,
    async send(...args) {
      started ??= start()
      const { relay } = await started
      return relay.send(...args)
    },
    async stop() {
      if (!started) return
      const { catcher, relay } = await started
      relay.close()
      await catcher.stop()
    },
  }
}
