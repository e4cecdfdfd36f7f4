import type { Context } from '../context.ts'
import type { Message, Outcome, Relay } from '../mail/relay.ts'
import { connectionsIn, greetingName, relayAddress } from '../mail/smtp/address.ts'
import { SmtpRelay } from '../mail/smtp/smtp-relay.ts'
import { type Catcher, startCatcher } from './catcher.ts'
import { CaughtMailNews } from './caught-mail-news.ts'
import { Outbox, outboxFolder } from './outbox.ts'

const asCaught = (outcome: Outcome): Outcome =>
  outcome.kind === 'answered' && outcome.code < 400 ? { ...outcome, caught: true } : outcome

/** The relay of SMTP_URL. */
export function environmentRelay(url: string, publicUrl: string): Relay {
  const connections = connectionsIn(url)
  return new SmtpRelay(relayAddress(url), { name: greetingName(publicUrl), ...(connections && { connections }) })
}

/** Takes mail that has no relay. Sends it by SMTP to a catcher in this process, which starts with the first mail. */
export class CatchingRelay implements Relay {
  readonly capacity = 20
  readonly outbox: Outbox
  readonly #news: CaughtMailNews
  #started: Promise<{ catcher: Catcher; relay: Relay }> | null = null

  constructor({ config: { dataDir }, db }: Pick<Context, 'config' | 'db'>) {
    this.#news = new CaughtMailNews(db)
    this.outbox = new Outbox(outboxFolder(dataDir), { kept: (newsletterId) => this.#news.caught(newsletterId) })
  }

  async send(message: Message, begun?: () => void, answered?: (outcome: Outcome) => void): Promise<Outcome> {
    this.#started ??= this.#start()
    const { relay } = await this.#started
    const outcome = await relay.send(message, begun, answered && ((answer) => answered(asCaught(answer))))
    return asCaught(outcome)
  }

  close(): void {
    void this.stop()
  }

  async stop(): Promise<void> {
    this.#news.stop()
    if (!this.#started) return
    const { catcher, relay } = await this.#started
    relay.close()
    await catcher.stop()
  }

  async #start() {
    const catcher = await startCatcher(this.outbox)
    return { catcher, relay: new SmtpRelay(relayAddress(`smtp://127.0.0.1:${catcher.port}`)) }
  }
}
