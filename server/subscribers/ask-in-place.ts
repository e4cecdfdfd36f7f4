import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { networkOf } from '../http/limits.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import type { WithRelays } from '../relays/relays.ts'
import { readAddress } from './address.ts'
import { policyFor } from './address-kind.ts'
import { type Receipt, receiptOf } from './consent.ts'
import { findByAddress, findSuppression, type SubscriberRow } from './queries.ts'
import { fieldFor, requireMayAsk, type SubscriptionRequests } from './subscribe.ts'

interface Asked {
  newsletter: NewsletterRow
  email: string
  name: string | null
  language: Language | undefined
  /** What the person was shown elsewhere and said yes to. */
  words?: string | null | undefined
  /** Whether a plan is entered for them with it. */
  reads?: boolean
  request: FastifyRequest
}

/** Asks addresses to subscribe in the place of their owners: each becomes active once its owner confirms. */
export class AskInPlace {
  readonly #mailPermissions: MailPermissions

  constructor(
    private readonly context: WithRelays,
    private readonly requests: SubscriptionRequests,
  ) {
    this.#mailPermissions = new MailPermissions(context)
  }

  /** @throws AppError invalid, owner_unconfirmed, already_subscribed, subscriber_complained, too_many_requests */
  async ask({
    newsletter,
    email,
    name,
    language = newsletter.language,
    words,
    reads = false,
    request,
  }: Asked): Promise<SubscriberRow> {
    const { db, now } = this.context
    const address = readAddress(email)
    if (!address) throw new AppError('invalid', { fields: { email: 'not_an_email' } })
    await this.#mailPermissions.require(newsletter.id)
    const { normalised } = address
    const policy = policyFor(newsletter, normalised)
    if (policy?.policy === 'refuse') throw new AppError('invalid', { fields: { email: `${policy.kind}_address` } })
    await this.requests.limits.ofApi({ newsletterId: newsletter.id, normalised })
    await requireMayAsk(this.context, { newsletterId: newsletter.id, normalised, now: now() })
    await this.requests.add({
      newsletterId: newsletter.id,
      email: address.typed,
      normalised,
      name: name?.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '') || null,
      language,
      at: now(),
      receipt: receiptOf('added', { newsletter, language, words, ...inPlaceOf(request) }),
      // The newsletter's setting is for its page, where people give their own yes.
      confirms: true,
      reads,
    })
    const added = await findByAddress(db, newsletter.id, normalised)
    if (!added) {
      const suppression = await findSuppression(db, newsletter.id, normalised)
      throw new AppError('invalid', { fields: { email: fieldFor(suppression?.reason) } })
    }
    return added
  }
}

/** How a consent is proved that a member or an API key reports in a person's place. Which member it was is in the audit. */
export function inPlaceOf({ caller, ip }: FastifyRequest): Pick<Receipt, 'means' | 'proof' | 'network'> {
  const network = networkOf(ip)
  return caller?.key
    ? { means: 'api', proof: `API key ${caller.key.id}`, network }
    : { means: 'by-hand', proof: null, network }
}
