import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { isTestRecipient } from '../../database/ids.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'

/** The page of a campaign. */
export const optInAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, campaignId: string): string =>
  `${publicUrl}/optin/${campaignId}`

/** What says in an address of a mail whose it is: another for each newsletter and subscriber, and of no use elsewhere. */
export class OptInCodes {
  readonly #links: SubscriberLinks

  constructor({ config, signer }: Pick<Context, 'config' | 'signer'>) {
    this.#links = new SubscriberLinks(config.secret, signer, 'opt-in')
  }

  /** 36 characters. */
  code(subscriberId: string): string {
    return this.#links.code(subscriberId)
  }

  /** Null for what is no code. `test` is whoever got a test mail. */
  read(newsletterId: string, code: unknown): { subscriberId: string } | 'test' | null {
    const opened = typeof code === 'string' ? this.#links.read(`${newsletterId}.${code}`) : null
    if (!opened || opened.fresh) return null
    return isTestRecipient(opened.subscriberId) ? 'test' : { subscriberId: opened.subscriberId }
  }
}
