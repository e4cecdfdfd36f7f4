import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { isLanguage, type Language } from '../../languages.ts'
import type { Clicks } from '../../links/clicks.ts'
import { CODE, VIA } from '../../links/lead-on.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import type { RenderedPage } from '../../page/render.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { findCampaignYes } from '../../subscribers/campaign-consent.ts'
import { canComputeKeys } from '../../subscribers/proof-of-work.ts'
import { findSubscriber, type SubscriberRow } from '../../subscribers/queries.ts'
import { SubscribeLimits } from '../../subscribers/subscribe-limits.ts'
import { translator } from '../../translator.ts'
import { OptInCodes } from './address.ts'
import { closedPage, unknownPage } from './notices.page.tsx'
import { askPage, type OptInPageProps, type OptInProblem, type Presser } from './opt-in.page.tsx'
import { type Campaign, findOptIn, findPublicCampaign, stateOf } from './queries.ts'
import { wordsIn } from './wording.ts'
import type { Said } from './yes.ts'

export interface Visit extends Omit<OptInPageProps, 'shown'> {
  /** Whose mail the link was in; null when it is nobody's. */
  subscriber: SubscriberRow | null
  /** That it is a member's preview or a test mail: nothing is counted and nothing changes. */
  band: string | null
  isPreview: boolean
  /** Where they came from. */
  shortLinkId: string
}

interface Asking {
  problem?: OptInProblem
  status?: number
  presser?: Presser
}

/** Who visits the page of a campaign, by which link, and what they are shown. */
export class Visits {
  readonly limits: SubscribeLimits
  readonly canProve: boolean
  readonly #codes: OptInCodes

  constructor(
    private readonly context: WithRelays,
    private readonly newsletters: PublicNewsletters,
    private readonly clicks: Clicks,
  ) {
    this.limits = new SubscribeLimits(context)
    this.canProve = canComputeKeys(context.config)
    this.#codes = new OptInCodes(context)
  }

  /** The campaign that an address names, unless its newsletter was deleted. */
  async findPlace(request: PageRequest): Promise<{ campaign: Campaign; newsletter: NewsletterRow } | null> {
    const campaign = await findPublicCampaign(this.context.db, textFields(request.params).campaignId ?? '')
    const newsletter = campaign && (await this.newsletters.find(campaign.newsletterId))
    return campaign && newsletter?.id === campaign.newsletterId ? { campaign, newsletter } : null
  }

  async of(request: PageRequest): Promise<Visit | null> {
    const found = await this.findPlace(request)
    if (!found) return null
    const { campaign, newsletter } = found
    const { db, signer } = this.context
    const query = textFields(request.query)
    const code = this.#codes.read(newsletter.id, query[CODE])
    const person = code && code !== 'test' ? await findSubscriber(db, newsletter.id, code.subscriberId) : null
    const language = person ? chosenOr(request, person.language) : pageLanguage(request, newsletter.language)
    const isPreview = signer.open('opt-in preview', query.preview ?? '') === campaign.id
    if (!person && !isPreview && this.isSecret(campaign)) return null
    const t = translator(language)
    return {
      ...found,
      language,
      query: new URLSearchParams(query),
      subscriber: person ?? null,
      band: isPreview ? t('optIn.band.preview') : code === 'test' ? t('optIn.band.test') : null,
      isPreview,
      shortLinkId: await this.#placeOf(campaign, query[VIA]),
    }
  }

  /** A draft exists for nobody who has neither a preview of it nor a mail of its newsletter: its address answers as one that no campaign has. */
  isSecret(campaign: Campaign): boolean {
    return stateOf(campaign, this.context.now()) === 'draft'
  }

  /** The link that somebody came by, when it leads here. */
  async #placeOf(campaign: Campaign, via: string | undefined): Promise<string> {
    if (via === undefined || !/^[\w-]{1,60}$/.test(via)) return campaign.shortLinkId
    const link = await this.context.db
      .selectFrom('short_link')
      .select(['id', 'target'])
      .where('newsletter_id', '=', campaign.newsletterId)
      .where('id', '=', via)
      .executeTakeFirst()
    return link && /\/optin\/(\w{6,20})/.exec(link.target)?.[1] === campaign.id ? link.id : campaign.shortLinkId
  }

  /** Counts a visit that no short link counted. */
  async count({ campaign, newsletter, query, band }: Visit, request: PageRequest): Promise<void> {
    if (band !== null || query.has(VIA) || query.has('said')) return
    const { id: newsletterId, click_privacy: privacy } = newsletter
    const link = { id: campaign.shortLinkId, newsletterId, privacy, publicationId: null, canary: false }
    await this.clicks.add(link, request, this.context.now())
  }

  /** Whether somebody said yes and did not take it back. */
  async stands({ newsletter, campaign }: Visit, { id: subscriberId }: SubscriberRow): Promise<boolean> {
    const key = { newsletterId: newsletter.id, campaignId: campaign.id, subscriberId }
    const optIn = await findOptIn(this.context.db, key)
    return optIn !== null && optIn.undoneAt === null
  }

  /** What somebody read before their yes, as its receipt has it. */
  wordsRead({ newsletter, campaign }: Pick<Visit, 'newsletter' | 'campaign'>, { id }: SubscriberRow) {
    const key = { newsletterId: newsletter.id, campaignId: campaign.id, subscriberId: id }
    return findCampaignYes(this.context.db, key)
  }

  /** Shows the question, or why nobody is asked now. */
  ask(reply: FastifyReply, visit: Visit, { problem, status = 200, presser }: Asking = {}): FastifyReply {
    const { campaign, newsletter, language } = visit
    const state = stateOf(campaign, this.context.now())
    const shown = wordsIn(campaign, language, newsletter.language)
    if (!shown || (state !== 'running' && !visit.isPreview)) {
      const closed = closedPage(state === 'running' ? 'waiting' : state, visit)
      return sendNow(reply, closed.rendered, closed.status)
    }
    const asked = { ...visit, shown, problem: problem ?? null }
    return sendNow(reply, askPage({ ...asked, presser: presser ?? this.#presserOf(visit) }), status)
  }

  /** Shows why a yes was not counted. */
  async askAgain(
    reply: FastifyReply,
    visit: Visit,
    { why, presser }: { why: Exclude<Said, 'yes' | 'again'>; presser?: Presser },
  ): Promise<FastifyReply> {
    const campaign = (await findPublicCampaign(this.context.db, visit.campaign.id)) ?? visit.campaign
    const problem = why === 'changed' || why === 'refused' ? why : undefined
    return this.ask(
      reply,
      { ...visit, campaign },
      { status: why === 'refused' ? 422 : 409, ...(problem && { problem }), ...(presser && { presser }) },
    )
  }

  isPressed({ id }: NewsletterRow): boolean {
    return this.canProve && this.limits.isPressed(id)
  }

  /** Whoever left, or never wanted the newsletter, types their address and confirms: a mail may have been passed on. */
  #presserOf({ subscriber, newsletter, band }: Visit): Presser {
    if (subscriber?.status === 'active') return { kind: 'signed', email: subscriber.email }
    if (band !== null) return { kind: 'signed', email: 'reader@example.org' }
    return { kind: 'typed', email: '', pressed: this.isPressed(newsletter) }
  }
}

export const sendNow = (reply: FastifyReply, rendered: RenderedPage, status = 200): FastifyReply =>
  sendPage(reply, rendered, { status, cacheControl: 'no-store' })

export const sendUnknown = (reply: FastifyReply): FastifyReply =>
  sendNow(reply, unknownPage(reply.request.language), 404)

/** Which words somebody had before them when they pressed the button. */
export const readVersion = (fields: Record<string, string>, language: Language) => ({
  version: Number(fields.version),
  language: isLanguage(fields.words) ? fields.words : language,
})
