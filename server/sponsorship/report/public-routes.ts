import type { FastifyReply, FastifyRequest } from 'fastify'
import { asFile } from '../../http/as-file.ts'
import { Sheet } from '../../http/endpoint.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { closedLinkPage } from '../public/closed-link.page.tsx'
import { readToken } from '../public/links.ts'
import type { Report } from './contract.ts'
import { reportCsv } from './csv.ts'
import { reportPage } from './report.page.tsx'
import { findReported, presentReport } from './report.ts'

/** From one network in ten minutes: each is counted anew while it is live. */
const READINGS = 300

interface Found {
  newsletter: NewsletterRow
  report: Report
  /** The sponsor's, unless another was chosen at the foot of the page. */
  language: Language
}

/** `/report/{token}`: what came of a booking, for whoever has the link. */
export function reportRoutes(context: WithRelays, newsletters: PublicNewsletters): Route[] {
  const { db, signer } = context
  const readings = new Limit(READINGS, 600)

  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const linked = readToken(signer, 'sponsor report', textFields(request.params).token ?? '')
    const newsletter = linked && (await newsletters.find(linked.newsletterId))
    if (!linked || newsletter?.id !== linked.newsletterId) return null
    const reported = await findReported(db, linked).catch(() => null)
    if (reported?.reportVersion !== linked.linkVersion) return null
    const report = await presentReport(context, newsletter, reported)
    return { newsletter, report, language: chosenLanguage(request) ?? reported.language }
  }

  const answer =
    (send: (request: FastifyRequest, reply: FastifyReply, found: Found) => FastifyReply) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      keepAddressSecret(reply)
      await readings.take(networkOf(request.ip))
      const found = await find(request)
      if (!found) return sendPage(reply, closedLinkPage(request.language), { status: 404, cacheControl: 'no-store' })
      return send(request, reply, found)
    }

  return [
    page(
      'GET /report/:token',
      answer((request, reply, found) => {
        const path = request.url.split('?')[0] ?? ''
        return sendPage(reply, reportPage({ ...found, path, now: context.now() }), { cacheControl: 'no-store' })
      }),
    ),
    page(
      'GET /report/:token/report.csv',
      answer((request, reply, { report, language }) => {
        const { data } = Sheet.safeParse(request.query)
        return asFile(reply, `report-${report.day}.csv`)
          .type('text/csv; charset=utf-8')
          .send(reportCsv(report, { language, sheet: data?.sheet, now: context.now() }))
      }),
    ),
  ]
}
