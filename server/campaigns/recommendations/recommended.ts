import type { FastifyReply, FastifyRequest } from 'fastify'
import type { NewsletterRow } from '../../http/scope.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { WithRelays } from '../../relays/relays.ts'
import type { SubscriberRow } from '../../subscribers/queries.ts'
import { recommendationLimits } from './contract.ts'
import { countRecommendations } from './counts.ts'
import { isRemote, type Offer, offersOf } from './offers.ts'
import { Passes } from './passes.ts'

/** What a page shows below its thanks. */
export interface Recommended {
  /** Of the browser; the form repeats it. */
  code: string
  /** Whether a choice subscribes at once; else each newsletter asks by mail. */
  proven: boolean
  offers: Offer[]
}

/** What readers are recommended right after they said yes to something. */
export class Recommending {
  readonly passes: Passes
  readonly #mailPermissions: MailPermissions

  constructor(private readonly context: WithRelays) {
    this.passes = new Passes(context)
    this.#mailPermissions = new MailPermissions(context)
  }

  /** After a yes, by which the address was `proven` or not: the next page may show `on` what the newsletter recommends. That it is shown is counted now. */
  async begin(
    reply: FastifyReply,
    newsletter: NewsletterRow,
    { subscriber, proven }: { subscriber: SubscriberRow; proven: boolean },
  ): Promise<void> {
    const at = this.context.now()
    const offers = await this.#firstOf(await offersOf(this.context.db, newsletter.id, { now: at }))
    if (offers.length === 0) return
    await countRecommendations(this.context.db, 'shown', {
      ...{ newsletterId: newsletter.id, campaignIds: offers.map(({ id }) => id), at },
    })
    this.passes.give(reply, {
      ...{ newsletterId: newsletter.id, subscriberId: subscriber.id, mark: this.passes.markOf(subscriber), since: at },
      ...{ proven, shown: offers.map(({ id, version }) => ({ id, version })), chosen: null },
    })
  }

  /** What this browser may still choose from; null for every other browser, and once it has chosen. */
  async on(
    request: FastifyRequest,
    { id }: Pick<NewsletterRow, 'id'>,
    subscriber: SubscriberRow,
  ): Promise<Recommended | null> {
    const read = this.passes.read(request)
    if (!read || read.pass.chosen !== null) return null
    const { pass, code } = read
    if (pass.newsletterId !== id || pass.subscriberId !== subscriber.id) return null
    // Whoever proved an address for somebody else than this newsletter has not confirmed for it.
    const isHere =
      subscriber.status === 'active' || (pass.proven && ['pending', 'campaign_only'].includes(subscriber.status))
    if (!isHere || pass.mark !== this.passes.markOf(subscriber)) return null
    const offers = await this.#firstOf(
      await offersOf(this.context.db, id, { now: this.context.now(), shown: pass.shown }),
    )
    return offers.length === 0 ? null : { code, proven: pass.proven, offers }
  }

  /** The first five whose newsletters may have subscribers. Of other servers' their own page says so. */
  async #firstOf(offers: Offer[]): Promise<Offer[]> {
    const first: Offer[] = []
    for (const offer of offers) {
      if (first.length === recommendationLimits.shown) break
      if (isRemote(offer) || (await this.#mailPermissions.mayMail(offer.newsletter.id))) first.push(offer)
    }
    return first
  }
}
