import type { FastifyReply } from 'fastify'
import { isDatabaseAway } from '../../database/away.ts'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { type PageRequest, page, type Route } from '../../http/routes.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress } from '../../subscribers/address.ts'
import { policyFor } from '../../subscribers/address-kind.ts'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { ProofsOfWork } from '../../subscribers/proof-of-work.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import type { Recommending } from '../recommendations/recommended.ts'
import { sharingOf } from './list-links.ts'
import { saidNotice } from './notices.page.tsx'
import { type OptInProblem, saidPage } from './opt-in.page.tsx'
import { stateOf } from './queries.ts'
import { readVersion, sendNow, sendUnknown, type Visit, type Visits } from './visit.ts'
import { whatEnded, wordsIn } from './wording.ts'
import { sayYes, undoYes } from './yes.ts'

export const MAX_FORM_BYTES = 16 * 1024
/** Of one person in ten minutes. */
const ACTS = 30

/**
 * The page of an opt-in campaign. Opening it changes nothing, for scanners of mail open every link: one button says yes. Whoever comes by a
 * link of our own mail types nothing; everybody else types an address, gets the same answer for each, and confirms by mail.
 */
export function publicOptInRoutes(context: WithRelays, visits: Visits, recommending: Recommending): Route[] {
  const { db, signer, now } = context
  const proofs = new ProofsOfWork(signer)
  const mailPermissions = new MailPermissions(context)
  const acts = new Limit(ACTS, 600)

  const show = async (request: PageRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const visit = await visits.of(request)
    if (!visit) return sendUnknown(reply)
    const { campaign, subscriber } = visit
    const stands = subscriber !== null && (await visits.stands(visit, subscriber))
    // Whoever comes back to their own yes is asked nothing.
    if (!stands) await visits.count(visit, request)
    const said = visit.query.get('said')
    const caught = await context.relays.caughtHere(visit.newsletter.id)
    if (said === 'asked') return sendNow(reply, saidNotice(said, { ...visit, caught }))
    if (said === 'no') return sendNow(reply, saidNotice(said, visit))
    const shown = wordsIn(campaign, visit.language, visit.newsletter.language)
    if (stands && shown)
      return sendNow(
        reply,
        saidPage({
          ...{ ...visit, shown, email: subscriber.email },
          receipt: said === 'receipt' ? 'read' : caught ? 'caught' : 'sent',
          read: await visits.wordsRead(visit, subscriber),
          recommended: await recommending.on(request, visit.newsletter, subscriber),
        }),
      )
    if (said !== 'undone') return visits.ask(reply, visit, await closedTo(visit))
    const { language, newsletter } = visit
    const more = whatEnded(campaign, newsletter.name, { language, list: await sharingOf(context, campaign) })
    return sendNow(reply, saidNotice(said, { ...visit, more }))
  }

  /** Whoever would have to type their address reads before they do that no mail would come. */
  async function closedTo({ newsletter, subscriber, band }: Visit): Promise<{ problem?: OptInProblem }> {
    if (subscriber?.status === 'active' || band !== null) return {}
    return (await mailPermissions.mayMail(newsletter.id)) ? {} : { problem: 'notYet' }
  }

  const submit = async (request: PageRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const visit = await visits.of(request)
    if (!visit) return sendUnknown(reply)
    const back = (said: 'undone' | null) => reply.redirect(addressOfVisit(visit, said), 303)
    if (visit.band !== null) return back(null)
    const { newsletter, campaign, subscriber, language } = visit
    const fields = textFields(request.body)
    const network = networkOf(request.ip)
    if (subscriber && fields.act === 'undo') {
      await acts.take(subscriber.id)
      await undoYes(context, { newsletter, campaignId: campaign.id, subscriber, language, network })
      return back('undone')
    }
    if (fields.act !== 'yes') return back(null)
    if (subscriber?.status !== 'active') return askByMail(visit, fields, { request, reply })
    await acts.take(subscriber.id)
    const said = await sayYes(context, {
      ...{ newsletter, campaignId: campaign.id, who: { subscriber }, network, shortLinkId: visit.shortLinkId },
      ...readVersion(fields, language),
      proof: `signed link of a mail for campaign ${campaign.id}`,
    })
    if (said === 'yes') await recommending.begin(reply, newsletter, { subscriber, proven: false })
    return said === 'yes' || said === 'again' ? back(null) : visits.askAgain(reply, visit, { why: said })
  }

  /** The same for every address: what is known of one, a job finds out. */
  async function askByMail(
    visit: Visit,
    fields: Record<string, string>,
    { request, reply }: { request: PageRequest; reply: FastifyReply },
  ) {
    const { newsletter, campaign, language } = visit
    const email = (fields.email ?? '').slice(0, 254)
    const refuse = (problem: OptInProblem, status: number) => {
      const pressed = problem === 'proof' || visits.isPressed(newsletter)
      return visits.ask(reply, visit, { problem, status, presser: { kind: 'typed', email, pressed } })
    }
    const done = () => reply.redirect(addressOfVisit(visit, 'asked'), 303)
    if (fields[HONEYPOT]) return done()
    if (stateOf(campaign, now()) !== 'running') return visits.ask(reply, visit)
    const address = readAddress(email)
    if (!address || policyFor(newsletter, address.normalised)?.policy === 'refuse') return refuse('email', 422)
    if (!(await mailPermissions.mayMail(newsletter.id))) return refuse('notYet', 403)
    const newsletterId = newsletter.id
    try {
      const proof = await proofs.read(fields.proof ?? '', newsletterId)
      const { normalised } = address
      const form = { newsletterId, network: networkOf(request.ip), normalised, proof }
      const { admitted } = await visits.limits.ofForm(form)
      if (!admitted && visits.canProve) return refuse('proof', 422)
    } catch (error) {
      if (isDatabaseAway(error) || !(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.header('retry-after', error.params.seconds ?? 60)
      return refuse('limit', 429)
    }
    const { shortLinkId } = visit
    const job = { newsletterId, campaignId: campaign.id, email: address.typed, language, shortLinkId }
    await enqueue(db, 'mail_opt_in', job)
    return done()
  }

  return [page('GET /optin/:campaignId', show), page('POST /optin/:campaignId', submit, { bodyLimit: MAX_FORM_BYTES })]
}

/** The page itself, in the language that was chosen and for whom it is. */
function addressOfVisit({ campaign, query }: Visit, said: string | null): string {
  const kept = new URLSearchParams(query)
  kept.delete('said')
  if (said) kept.set('said', said)
  return `/optin/${campaign.id}${kept.size > 0 ? `?${kept}` : ''}`
}
