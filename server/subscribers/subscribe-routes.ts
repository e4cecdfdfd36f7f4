import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { textFields } from '../http/text-fields.ts'
import { isLanguage, type Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { pageLanguage } from '../page/language.ts'
import { PageCache } from '../page/page-cache.ts'
import { sendPage } from '../page/send.ts'
import type { WithRelays } from '../relays/relays.ts'
import { readAddress } from './address.ts'
import { receiptOf } from './consent.ts'
import { PublicationVersions } from './publication-versions.ts'
import { listRecent } from './queries.ts'
import { askedPage, closedPage, HONEYPOT, type SubmittedForm, subscribePage } from './subscribe.page.tsx'
import type { SubscriptionRequests } from './subscribe.ts'

const MAX_FORM_BYTES = 16 * 1024
const MAX_FIELD = 500

/** The subscribe page, under both its paths. Its answer is the same for every address, whether we know it or not. */
export function subscribeRoutes(
  context: WithRelays,
  requests: SubscriptionRequests,
  newsletters: PublicNewsletters,
): Route[] {
  const { config, db, listener, now } = context
  const mailPermissions = new MailPermissions(context)
  const pages = new PageCache()
  const versions = new PublicationVersions()
  listener.on(
    'live',
    (payload) => {
      const [newsletterId = '', kind] = payload.split(' ')
      if (kind === 'publications') versions.advance(newsletterId)
    },
    () => pages.clear(),
  )

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const version = `${newsletter.version} ${versions.of(newsletter.id)}`
    const rendered = await pages.get(`${newsletter.id} ${language}`, version, () => render(newsletter, language))
    return sendPage(reply, rendered)
  }

  const render = async (newsletter: NewsletterRow, language: Language, submitted?: SubmittedForm) => {
    const recent = submitted?.problem === 'away' ? [] : await listRecent(db, newsletter.id)
    return subscribePage({ publicUrl: config.publicUrl, newsletter, language, recent, ...(submitted && { submitted }) })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameOf(request))
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const form = readForm(request.body, language)
    const done = () => reply.redirect(`/subscribe/${nameInAddress(newsletter)}/asked?lang=${language}`, 303)
    if (form.robot) return done()
    const refuse = async (problem: SubmittedForm['problem'], status: number) =>
      sendPage(reply, await render(newsletter, language, { ...form, problem }), {
        status,
        cacheControl: 'no-store',
      })

    const address = readAddress(form.email)
    if (!address) return refuse('email', 422)
    if (!form.consent) return refuse('consent', 422)
    if (!(await mailPermissions.mayMail(newsletter.id))) return refuse('notYet', 403)
    try {
      await requests.add({
        newsletterId: newsletter.id,
        email: address.typed,
        normalised: address.normalised,
        name: null,
        language: form.language,
        at: now(),
        receipt: receiptOf('yes', { newsletter, language, means: 'page', network: networkOf(request.ip) }),
      })
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
    const rendered = await pages.get(`asked ${newsletter.id} ${language}`, newsletter.version, () =>
      askedPage(newsletter, language),
    )
    return sendPage(reply, rendered)
  }

  return ['/subscribe/:newsletterId', '/sub/:newsletterId'].flatMap((path) => [
    page(`GET ${path}`, show),
    page(`POST ${path}`, submit, { bodyLimit: MAX_FORM_BYTES }),
    page(`GET ${path}/asked`, asked),
  ])
}

const nameOf = (request: FastifyRequest): string => textFields(request.params).newsletterId ?? ''

function readForm(body: unknown, fallback: Language): SubmittedForm & { robot: boolean } {
  const fields = textFields(body)
  const text = (name: string) => (fields[name] ?? '').slice(0, MAX_FIELD)
  return {
    email: text('email'),
    language: isLanguage(fields.language) ? fields.language : fallback,
    consent: text('consent') === 'yes',
    problem: null,
    robot: text(HONEYPOT) !== '',
  }
}
