import type { FastifyReply, FastifyRequest } from 'fastify'
import { Limit, networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import { findNewsletter } from '../../newsletters/membership.ts'
import { chosenOr } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { type Receipt, WORDING_VERSION } from '../../subscribers/consent.ts'
import { findByAddress, findSubscriber } from '../../subscribers/queries.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { translator } from '../../translator.ts'
import { keepChoice } from './choice.ts'
import { join } from './join.ts'
import { isRemote, type LocalOffer, type Offer, offersOf } from './offers.ts'
import type { Pass } from './passes.ts'
import {
  boxOf,
  choosePage,
  chosenPage,
  type Outcome,
  offerWords,
  RECOMMENDED,
  type RemoteOutcome,
} from './recommended.page.tsx'
import type { Recommending } from './recommended.ts'

const MAX_FORM_BYTES = 16 * 1024
/** From one network in ten minutes. */
const CHOICES = 60

/** A reader’s yes to what they were recommended, and what became of it. Only the browser in which an address was just proven gets further than a notice. */
export function publicRecommendationRoutes(context: WithRelays, recommending: Recommending): Route[] {
  const { db, now } = context
  const { passes } = recommending
  const choices = new Limit(CHOICES, 600)

  /** Who chose, with what they were shown; null when it is over, or this is not their browser. */
  async function find(request: FastifyRequest) {
    const read = passes.read(request)
    const newsletter = read && (await findNewsletter(db, read.pass.newsletterId))
    const subscriber = newsletter && (await findSubscriber(db, newsletter.id, read.pass.subscriberId))
    if (!subscriber || read.pass.mark !== passes.markOf(subscriber)) return null
    return { ...read, newsletter, subscriber, language: chosenOr(request, subscriber.language) }
  }
  type Found = NonNullable<Awaited<ReturnType<typeof find>>>

  const over = (request: FastifyRequest, reply: FastifyReply, language: Language = request.language) => {
    const t = translator(language)
    const words = { title: t('recommendations.page.over'), text: t('recommendations.page.overText') }
    return sendPage(reply, noticePage(null, language, words), { status: 410, cacheControl: 'no-store' })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    await choices.take(networkOf(request.ip))
    const found = await find(request)
    const fields = textFields(request.body)
    if (!found || fields.code !== found.code) return over(request, reply, found?.language)
    const { newsletter, subscriber, pass, language } = found
    const open = await recommending.on(request, newsletter, subscriber)
    if (!open) return pass.chosen === null ? over(request, reply, language) : toOutcome(reply, language)
    const chosen = open.offers.filter((offer) => fields[boxOf(offer)] === 'yes')
    if (chosen.length === 0)
      return sendPage(reply, choosePage({ newsletter, language, ...open, problem: true }), {
        status: 422,
        cacheControl: 'no-store',
      })
    for (const offer of chosen) await keep(found, offer, networkOf(request.ip))
    passes.give(reply, { ...pass, chosen: chosen.map(({ id }) => id) })
    return toOutcome(reply, language)
  }

  /** Counts a choice and acts on it, once. */
  const keep = (found: Found, offer: Offer, network: string | null) =>
    db.transaction().execute(async (tx) => {
      const { newsletter: from, subscriber, pass } = found
      const at = now()
      const choice = { newsletterId: from.id, subscriberId: subscriber.id, campaignId: offer.id, since: pass.since, at }
      if (!(await keepChoice(tx, choice)) || isRemote(offer)) return
      const receipt = receiptOf(found, offer, network)
      await join(tx, context.signer, { from, offer, subscriber, proven: pass.proven, receipt, at })
    })

  // A GET shows what became of it, so that reloading it sends no form again.
  const toOutcome = (reply: FastifyReply, language: Language) => reply.redirect(`${RECOMMENDED}?lang=${language}`, 303)

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return over(request, reply)
    const { newsletter, subscriber, language, pass } = found
    if (pass.chosen === null) {
      const open = await recommending.on(request, newsletter, subscriber)
      if (!open) return over(request, reply, language)
      return sendPage(reply, choosePage({ newsletter, language, ...open, problem: false }), {
        cacheControl: 'no-store',
      })
    }
    const offers = (await offersOf(db, newsletter.id, { now: now(), shown: pass.shown })).filter(({ id }) =>
      pass.chosen?.includes(id),
    )
    const outcomes = await Promise.all(offers.map((offer) => outcomeOf(found, offer)))
    return sendPage(reply, chosenPage({ newsletter, language, outcomes, publicUrl: context.config.publicUrl }), {
      cacheControl: 'no-store',
    })
  }

  async function outcomeOf({ subscriber, pass }: Found, offer: Offer): Promise<Outcome | RemoteOutcome> {
    if (isRemote(offer)) return { offer }
    const { newsletter } = offer
    if (!pass.proven) return { newsletter, became: 'asked' }
    const theirs = await findByAddress(db, newsletter.id, subscriber.email_normalised)
    if (theirs?.status !== 'active') return { newsletter, became: 'not' }
    return { newsletter, became: (theirs.confirmed_at ?? pass.since) < pass.since ? 'already' : 'joined' }
  }

  return [page(`GET ${RECOMMENDED}`, show), page(`POST ${RECOMMENDED}`, submit, { bodyLimit: MAX_FORM_BYTES })]
}

interface Chosen {
  newsletter: NewsletterRow
  language: Language
  pass: Pass
}

/** What was on the page beside the box that was ticked, who recommended it, and how its address was proven. */
function receiptOf({ newsletter, language, pass }: Chosen, offer: LocalOffer, network: string | null): Receipt {
  const { consent, reason } = offerWords(offer, { newsletter, language })
  const heading = translator(language)('recommendations.page.title', { newsletter: newsletter.name })
  return {
    wording: `${heading}\n${consent}\n${reason}`,
    wordingVersion: WORDING_VERSION,
    language,
    means: 'recommendation',
    proof: `recommendation ${offer.id}, version ${offer.version}, of newsletter ${newsletter.id}; ${pass.proven ? 'address confirmed' : 'yes by a link of a mail'} there at ${pass.since.toISOString()}`,
    beneficiary: { id: null, name: offer.newsletter.name },
    network,
  }
}
