import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepArrival, readArrival } from '../campaigns/recommendations/remote/arrivals.ts'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { textFields } from '../http/text-fields.ts'
import { isLanguage, type Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { chosenLanguage, pageLanguage } from '../page/language.ts'
import { PageCache } from '../page/page-cache.ts'
import { scriptAddress } from '../page/scripts.ts'
import { sendPage } from '../page/send.ts'
import type { WithRelays } from '../relays/relays.ts'
import { type Address, readAddress } from './address.ts'
import { policyFor } from './address-kind.ts'
import { receiptOf } from './consent.ts'
import { probablyMeant } from './domain-typos.ts'
import { askedAnswer, readableAnywhere, refusedAnswer, sendAnswer, siteOf, wantsJson } from './embed/answer.ts'
import { readConsent } from './embed/form.ts'
import { HONEYPOT } from './honeypot.tsx'
import { canComputeKeys, ProofsOfWork } from './proof-of-work.ts'
import { PublicationVersions } from './publication-versions.ts'
import { listRecent } from './queries.ts'
import { askedPage, closedPage, type SubmittedForm, type SubscribePageProps, subscribePage } from './subscribe.page.tsx'
import type { SubscriptionRequests } from './subscribe.ts'

/** Where a visitor says to come from, when it can be read. */
function fromIn(request: FastifyRequest): string | null {
  const { from } = textFields(request.query)
  return from !== undefined && readArrival(from) ? from : null
}

const MAX_FORM_BYTES = 16 * 1024
const MAX_FIELD = 500
/** For one network. Each takes a millisecond in a thread. */
const CHALLENGES_A_MINUTE = 60

/** The subscribe page, under both its paths. Its answer is the same for every address, whether we know it or not. */
export function subscribeRoutes(
  context: WithRelays,
  requests: SubscriptionRequests,
  newsletters: PublicNewsletters,
): Route[] {
  const { config, db, listener, now, relays } = context
  const mailPermissions = new MailPermissions(context)
  const pages = new PageCache()
  const versions = new PublicationVersions()
  const proofs = new ProofsOfWork(context.signer)
  const challenges = new Limit(CHALLENGES_A_MINUTE, 60)
  const canProve = canComputeKeys(config)
  const isPressed = ({ id }: NewsletterRow) => canProve && requests.limits.isPressed(id)
  listener.on(
    'live',
    (payload) => {
      const [newsletterId = '', kind] = payload.split(' ')
      if (kind === 'publications') versions.advance(newsletterId)
    },
    () => pages.clear(),
  )

  /** While the database is away the page is shown as it mostly is. */
  const isOpen = ({ id }: NewsletterRow) =>
    mailPermissions.mayMail(id).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error
      return true
    })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const version = `${newsletter.version} ${versions.of(newsletter.id)}`
    const chosen = chosenLanguage(request)
    const pressed = isPressed(newsletter)
    const from = fromIn(request)
    const open = await isOpen(newsletter)
    const marks = [chosen && 'chosen', pressed && 'pressed', !open && 'closed'].filter(Boolean).join(' ')
    const key = `${newsletter.id} ${language} ${marks} ${from ?? ''}`
    const rendered = await pages.get(key, version, () => render(newsletter, { language, chosen, pressed, from, open }))
    return sendPage(reply, rendered)
  }

  const render = async (
    newsletter: NewsletterRow,
    shown: Pick<SubscribePageProps, 'language' | 'chosen' | 'pressed' | 'from' | 'open'>,
    submitted?: SubmittedForm,
  ) => {
    const recent = submitted?.problem === 'away' ? [] : await listRecent(db, newsletter.id)
    const props = { publicUrl: config.publicUrl, newsletter, recent, ...shown }
    return subscribePage({ ...props, ...(submitted && { submitted }) })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const form = readForm(request.body, newsletter, language)
    const asJson = wantsJson(request)
    const done = async () =>
      asJson
        ? sendAnswer(reply, askedAnswer(newsletter, language, await relays.caughtHere(newsletter.id)))
        : reply.redirect(`/subscribe/${nameInAddress(newsletter)}/asked?lang=${language}`, 303)
    if (form.robot) return done()
    const refuse = async (
      problem: NonNullable<SubmittedForm['problem']>,
      status: number,
      more: { meant?: string } = {},
    ) => {
      if (asJson)
        return sendAnswer(
          reply,
          refusedAnswer({ newsletter, language, problem, typed: form.email, meant: more.meant }),
          status,
        )
      return sendPage(
        reply,
        await render(
          newsletter,
          {
            ...{ language, chosen: chosenLanguage(request), from: fromIn(request) },
            pressed: isPressed(newsletter) || problem === 'proof',
            open: true,
          },
          { ...form, ...more, problem },
        ),
        {
          status,
          cacheControl: 'no-store',
        },
      )
    }

    const typed = readAddress(form.email)
    if (!typed) return refuse('email', 422)
    if (form.stale && asJson) return sendAnswer(reply, { state: 'stale', message: '' }, 422)
    if (!form.consent) return refuse('consent', 422)
    const meant = form.choice === 'typed' ? null : meantInstead(typed)
    if (meant && form.choice !== 'meant') return refuse('typo', 422, { meant: meant.typed })
    const address = meant ?? typed
    const { normalised } = address
    const policy = policyFor(newsletter, normalised)
    if (policy?.policy === 'refuse') return refuse(policy.kind, 422)
    if (!(await mailPermissions.mayMail(newsletter.id))) return refuse('notYet', 403)
    const site = siteOf(request, config.publicUrl)
    const proof = site && `form on ${site}`
    try {
      const network = networkOf(request.ip)
      const work = await proofs.read(form.proof, newsletter.id)
      const { pressed, admitted } = await requests.limits.ofForm({
        newsletterId: newsletter.id,
        network,
        normalised,
        proof: work,
      })
      if (!admitted && canProve) return refuse('proof', 422)
      const confirms = newsletter.opt_in !== 'single' || policy !== null || pressed
      const asked = { newsletterId: newsletter.id, normalised, at: now(), confirms }
      await requests.add({
        ...asked,
        email: address.typed,
        name: null,
        language: form.language,
        receipt: receiptOf('yes', { newsletter, language: form.consentLanguage, means: 'page', network, proof }),
      })
      const arrival = readArrival(fromIn(request))
      if (arrival) await keepArrival(db, asked, arrival)
    } catch (error) {
      if (isDatabaseAway(error)) {
        reply.header('retry-after', 30)
        return refuse('away', 503)
      }
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.header('retry-after', error.params.seconds ?? 60)
      return refuse('limit', 429)
    }
    return done()
  }

  const asked = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const caught = await relays.caughtHere(newsletter.id)
    const key = `asked ${newsletter.id} ${language}${caught ? ' caught' : ''}`
    const rendered = await pages.get(key, newsletter.version, () => askedPage(newsletter, { language, caught }))
    return sendPage(reply, rendered)
  }

  const challenge = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) throw new AppError('newsletter_not_found')
    await challenges.take(networkOf(request.ip))
    return readableAnywhere(reply)
      .type('application/json')
      .send(JSON.stringify(await proofs.challenge(newsletter.id)))
  }

  /** At one address for ever. What it leads to has its version in its name. */
  const script = (_request: FastifyRequest, reply: FastifyReply) => {
    const address = scriptAddress('embed')
    if (!address) throw new AppError('not_found')
    return reply.header('cache-control', 'public, max-age=3600').redirect(address, 302)
  }

  const pagesOfForm = ['/subscribe/:newsletterId', '/sub/:newsletterId'].flatMap((path) => [
    page(`GET ${path}`, show),
    page(`POST ${path}`, submit, { bodyLimit: MAX_FORM_BYTES }),
    page(`GET ${path}/asked`, asked),
    page(`GET ${path}/challenge`, challenge),
  ])
  return [...pagesOfForm, page('GET /embed.js', script)]
}

const nameOf = (request: FastifyRequest): string => textFields(request.params).newsletterId ?? ''

interface ReadForm extends SubmittedForm {
  robot: boolean
  /** The language of the words that were ticked. */
  consentLanguage: Language
  /** Whether they are not today's: a copied form has them. */
  stale: boolean
  /** Of the address that was typed and the one that was probably meant. */
  choice: string
  proof: string
}

/** The address that was probably meant, when its domain looks mistyped. */
const meantInstead = ({ normalised }: Address): Address | null => {
  const meant = probablyMeant(normalised)
  return meant === null ? null : readAddress(meant)
}

function readForm(body: unknown, newsletter: NewsletterRow, fallback: Language): ReadForm {
  const fields = textFields(body)
  const text = (name: string) => (fields[name] ?? '').slice(0, MAX_FIELD)
  const consent = readConsent(text('consent'), newsletter)
  return {
    email: text('email'),
    language: isLanguage(fields.language) ? fields.language : fallback,
    consent: consent !== null && !consent.stale,
    consentLanguage: consent?.language ?? fallback,
    stale: consent?.stale ?? false,
    problem: null,
    choice: text('choice'),
    proof: fields.proof ?? '',
    robot: text(HONEYPOT) !== '',
  }
}
