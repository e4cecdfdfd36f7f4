import type { FastifyReply } from 'fastify'
import { Limit, networkOf } from '../../http/limits.ts'
import { type PageRequest, page, type Route } from '../../http/routes.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { type Address, readAddress } from '../../subscribers/address.ts'
import { findByAddress } from '../../subscribers/queries.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import type { Recommending } from '../recommendations/recommended.ts'
import { oldLinkPage } from './notices.page.tsx'
import { saidPage } from './opt-in.page.tsx'
import { MAX_FORM_BYTES } from './public-routes.ts'
import { typedLinks } from './typed-links.ts'
import { readVersion, sendNow, sendUnknown, type Visit, type Visits } from './visit.ts'
import { wordsIn } from './wording.ts'
import { sayYes, undoYes } from './yes.ts'

/** From one network in ten minutes. */
const CONFIRMATIONS = 120

interface Typed extends Visit {
  address: Address
  askedAt: Date
  typedLanguage: Language
}

/** Where somebody confirms who typed their address: the same question once more, by the link that was mailed there. */
export function confirmOptInRoutes(context: WithRelays, visits: Visits, recommending: Recommending): Route[] {
  const { db, sealer, now } = context
  const links = typedLinks(sealer)
  const confirmations = new Limit(CONFIRMATIONS, 600)

  async function find(request: PageRequest): Promise<Typed | { visit: Visit | null }> {
    const found = await visits.findPlace(request)
    if (!found) return { visit: null }
    const { campaign, newsletter } = found
    const opened = links.read(textFields(request.params).token ?? '', now())
    const visit = {
      ...{ ...found, query: new URLSearchParams(), subscriber: null, band: null, isPreview: false },
      language: opened ? chosenOr(request, opened.language) : pageLanguage(request, newsletter.language),
      shortLinkId: opened?.shortLinkId ?? campaign.shortLinkId,
    }
    const address = opened?.campaignId === campaign.id ? readAddress(opened.email) : null
    if (!opened || !address) return { visit: visits.isSecret(campaign) ? null : visit }
    return { ...visit, address, askedAt: opened.madeAt, typedLanguage: opened.language }
  }

  const refuse = (reply: FastifyReply, visit: Visit | null) =>
    visit ? sendNow(reply, oldLinkPage(visit), 410) : sendUnknown(reply)

  const show = async (request: PageRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const typed = await find(request)
    if (!('address' in typed)) return refuse(reply, typed.visit)
    const known = await findByAddress(db, typed.newsletter.id, typed.address.normalised)
    const shown = wordsIn(typed.campaign, typed.language, typed.newsletter.language)
    // Whoever has the link reads the mails of this address, so this is no news to anybody else.
    if (known && shown && (await visits.stands(typed, known)))
      return sendNow(
        reply,
        saidPage({
          ...{ ...typed, shown, email: typed.address.typed },
          read: await visits.wordsRead(typed, known),
          receipt: (await context.relays.caughtHere(typed.newsletter.id)) ? 'caught' : 'sent',
          recommended: await recommending.on(request, typed.newsletter, known),
        }),
      )
    return visits.ask(reply, typed, { presser: { kind: 'proven', email: typed.address.typed } })
  }

  const submit = async (request: PageRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    await confirmations.take(networkOf(request.ip))
    const typed = await find(request)
    if (!('address' in typed)) return refuse(reply, typed.visit)
    const { newsletter, campaign, address, language } = typed
    const network = networkOf(request.ip)
    const fields = textFields(request.body)
    const campaignId = campaign.id
    if (fields.act === 'undo') {
      const subscriber = await findByAddress(db, newsletter.id, address.normalised)
      if (subscriber) await undoYes(context, { newsletter, campaignId, subscriber, language, network })
      return reply.redirect(`/optin/${campaignId}?lang=${language}&said=undone`, 303)
    }
    const said = await sayYes(context, {
      ...{ newsletter, campaignId, network, shortLinkId: typed.shortLinkId },
      who: { address, language: typed.typedLanguage },
      ...readVersion(fields, language),
      proof: `encrypted link of the mail asked for at ${typed.askedAt.toISOString()}`,
    })
    const presser = { kind: 'proven', email: address.typed } as const
    if (said !== 'yes' && said !== 'again') return visits.askAgain(reply, typed, { why: said, presser })
    const subscriber = said === 'yes' && (await findByAddress(db, newsletter.id, address.normalised))
    if (subscriber) await recommending.begin(reply, newsletter, { subscriber, proven: true })
    return reply.redirect(request.url, 303)
  }

  return [
    page('GET /optin/:campaignId/confirm/:token', show),
    page('POST /optin/:campaignId/confirm/:token', submit, { bodyLimit: MAX_FORM_BYTES }),
  ]
}
