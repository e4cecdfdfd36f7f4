import { createServer } from 'node:http'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { ensureEventPartitions } from './analytics/event-partitions.job.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { Trail } from './audit/trail.ts'
import { advertiseRoutes } from './campaigns/advertise/routes.ts'
import { confirmOptInRoutes } from './campaigns/opt-in/confirm-routes.ts'
import { optInListRoutes } from './campaigns/opt-in/list-routes.ts'
import { publicOptInRoutes } from './campaigns/opt-in/public-routes.ts'
import { optInRoutes } from './campaigns/opt-in/routes.ts'
import { Visits } from './campaigns/opt-in/visit.ts'
import { publicRecommendationRoutes } from './campaigns/recommendations/public-routes.ts'
import { Recommending } from './campaigns/recommendations/recommended.ts'
import { documentRoutes } from './campaigns/recommendations/remote/document-routes.ts'
import { remoteRoutes } from './campaigns/recommendations/remote/routes.ts'
import { recommendationRoutes } from './campaigns/recommendations/routes.ts'
import { cardRoutes } from './charge/card/routes.ts'
import { figureRoutes } from './charge/figures/routes.ts'
import { giveRoutes } from './charge/gifts/give-routes.ts'
import { publicGiftRoutes } from './charge/gifts/public-routes.ts'
import { giftRoutes } from './charge/gifts/routes.ts'
import { outsideRoutes } from './charge/outside/routes.ts'
import { paymentEventRoutes } from './charge/payment-events/routes.ts'
import { publicPlanRoutes } from './charge/plans/public-routes.ts'
import { planRoutes } from './charge/plans/routes.ts'
import { priceMoveRoutes } from './charge/price-moves/routes.ts'
import { readerRoutes } from './charge/readers/routes.ts'
import { ReaderSessions } from './charge/readers/sessions.ts'
import { checkoutRoutes } from './charge/stripe/checkout-routes.tsx'
import { stripeRoutes } from './charge/stripe/routes.ts'
import type { Context } from './context.ts'
import { digestRoutes } from './digests/routes.ts'
import { domainRoutes } from './domains/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { CostLimits, limitCosts } from './http/cost-limits.ts'
import { handleErrors, refuseEarly } from './http/error-handler.ts'
import { readMultipartForms } from './http/forms.ts'
import { healthRoutes } from './http/health.ts'
import { refuseOtherMethods } from './http/methods.ts'
import { answerTimes, measureAnswers, metricsRoutes } from './http/metrics.ts'
import { documentApi } from './http/openapi.ts'
import { databaseProbe, descriptorProbe, folderProbe } from './http/probes.ts'
import { Readiness } from './http/readiness.ts'
import { keepOrigins } from './http/request-origin.ts'
import type { Route } from './http/routes.ts'
import { followLanguage, guardApi } from './http/scope.ts'
import { secureHeaders } from './http/security.ts'
import { serveStudio } from './http/studio.ts'
import { answerUnreadable } from './http/unreadable-request.ts'
import { Auth } from './identity/auth.ts'
import { NetworkLimits } from './identity/network-limits.ts'
import { identityRoutes } from './identity/routes.ts'
import { measureQueue } from './jobs/metrics.ts'
import { Clicks } from './links/clicks.ts'
import { LinkCache } from './links/link-cache.ts'
import { QuickRedirects } from './links/quick-redirect.ts'
import { linkRoutes } from './links/routes.ts'
import { mediaRoutes, startUploading } from './media/routes.ts'
import { storageProbe } from './media/try-storage.ts'
import { MAX_UPLOAD_BYTES } from './media/upload-limits.ts'
import { sendErrorPage } from './newsletters/error-page.ts'
import { findMembership, findNewsletter } from './newsletters/membership.ts'
import { PublicNewsletters } from './newsletters/public-newsletters.ts'
import { newsletterRoutes } from './newsletters/routes.ts'
import { pageRoutes } from './page/routes.ts'
import { roles as allRoles, type RoleTable } from './permissions.ts'
import { publicationRoutes } from './publications/routes.ts'
import { outboxRoutes } from './relays/outbox-routes.ts'
import type { WithRelays } from './relays/relays.ts'
import { relayRoutes } from './relays/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { segmentRoutes } from './segments/routes.ts'
import { measureDeliveries } from './sending/metrics.ts'
import { deliveryRoutes } from './sending/routes.ts'
import { sendSystemMail } from './sending/system-mail.ts'
import { publicSponsorRoutes } from './sponsorship/public/routes.ts'
import { sponsorshipRoutes } from './sponsorship/routes.ts'
import { BookingChanges } from './sponsorship/tell.ts'
import type { IsMember } from './subscribers/confirm-routes.ts'
import { importRoutes } from './subscribers/import/routes.ts'
import { subscriberRoutes } from './subscribers/routes.ts'
import { welcomeRoutes } from './welcomes/routes.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
/** The time for a whole request to arrive. It is enough for 10 MB over a slow line, and ends clients that send byte by byte. */
const REQUEST_TIMEOUT_MS = 120_000
/** Longer than proxies keep a connection that nobody uses, so that none asks on one that we have just closed. */
const KEEP_ALIVE_MS = 72_000
const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }
/** For each step of a start. Making the partitions of a large database on a slow disk takes longer than the ten seconds of Fastify. */
const START_TIMEOUT_MS = 120_000

/** THE MAP: every slice, registered by hand. Public pages are at the root. Everything below /api passes one guard. */
export async function createApp(context: WithRelays, roles: RoleTable = allRoles): Promise<FastifyInstance> {
  const { config, db, log } = context
  const times = config.metricsToken ? answerTimes(context.metrics) : null
  const links = new LinkCache(db, context.listener)
  const clicks = new Clicks(context)
  const trust = proxyTrust(config.trustProxy)
  const redirects = new QuickRedirects({
    ...{ config, links, clicks, trust, now: context.now },
    measured: times && ((seconds) => times.observe({ method: 'GET', route: '/r/:shortLinkId', status: 302 }, seconds)),
  })
  const app: FastifyInstance = Fastify({
    serverFactory: (others) => createServer(timeouts, redirects.before(others)),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trust,
    bodyLimit: MAX_BODY_BYTES,
    pluginTimeout: START_TIMEOUT_MS,
    frameworkErrors: refuseEarly,
    clientErrorHandler: answerUnreadable,
    rewriteUrl: pathAlone,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  const auth = new Auth(context)
  app.addHook('preClose', async () => redirects.stop())
  app.addHook('onClose', () => auth.close())
  const newsletters = new PublicNewsletters(context)
  const readers = new ReaderSessions(context)
  const bookingChanges = new BookingChanges(context)
  const uploading = startUploading(context)
  const recommending = new Recommending(context)
  const visits = new Visits(context, newsletters, clicks)
  const readiness = new Readiness([
    databaseProbe(db),
    folderProbe(config.dataDir),
    descriptorProbe,
    storageProbe(config),
  ])
  const isMember: IsMember = async (request, newsletterId) => {
    const caller = await auth.findCaller(request, null)
    return Boolean(caller?.user && (await findMembership(db, newsletterId, caller.user.id)))
  }
  const routes: Route[] = [
    ...healthRoutes(readiness),
    ...metricsRoutes(config, context.metrics),
    ...pageRoutes(),
    ...identityRoutes(context, auth),
    ...newsletterRoutes(context),
    ...subscriberRoutes(context, { newsletters, recommending, isMember }),
    ...importRoutes(context),
    ...segmentRoutes(context),
    ...searchRoutes(context),
    ...publicationRoutes({ ...context, library: uploading.library }, newsletters, readers),
    ...deliveryRoutes(context),
    ...publicPlanRoutes(context, newsletters, readers),
    ...publicGiftRoutes(context, newsletters, readers),
    ...giveRoutes(context, newsletters),
    ...readerRoutes(context, newsletters, readers),
    ...digestRoutes(context),
    ...welcomeRoutes(context),
    ...relayRoutes(context, (mail, handOver) => sendSystemMail(context, mail, handOver)),
    ...outboxRoutes(context),
    ...feedbackRoutes(context),
    ...domainRoutes(context),
    ...recommendationRoutes(context),
    ...publicRecommendationRoutes(context, recommending),
    ...remoteRoutes(context),
    ...documentRoutes(context, newsletters),
    ...linkRoutes(context, { links, clicks, newsletters }),
    ...sponsorshipRoutes(context, bookingChanges),
    ...publicSponsorRoutes(context, newsletters, { changes: bookingChanges, uploading }),
    ...optInRoutes(context),
    ...advertiseRoutes(context),
    ...publicOptInRoutes(context, visits, recommending),
    ...confirmOptInRoutes(context, visits, recommending),
    ...optInListRoutes(context, newsletters),
    ...mediaRoutes(context, uploading),
    ...analyticsRoutes(context),
    ...paymentEventRoutes(context),
    ...auditRoutes(context),
    ...planRoutes(context),
    ...priceMoveRoutes(context),
    ...figureRoutes(context),
    ...stripeRoutes(context),
    ...checkoutRoutes(context, newsletters, new ReaderSessions(context)),
    ...outsideRoutes(context),
    ...giftRoutes(context),
    ...cardRoutes(context),
  ]

  const refuseOthers = refuseOtherMethods(app)
  app.addHook('onReady', () => ensureEventPartitions(db, context.now()))
  app.decorate('apiRoutes', [])
  handleErrors(app, sendErrorPage)
  if (times) measureAnswers(app, times)
  measureQueue(context, context.metrics)
  measureDeliveries(context, context.metrics)
  followLanguage(app)
  keepOrigins(app)
  secureHeaders(app, config)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: 64 * 1024 })
  await app.register(async (api) => {
    await api.register(multipart, { limits: { files: 1, fields: 5, fileSize: MAX_UPLOAD_BYTES } })
    await documentApi(api, config)
    const costLimits = new CostLimits()
    limitCosts(api, costLimits)
    const networkLimits = new NetworkLimits(context)
    guardApi(api, {
      origin: config.publicUrl,
      roles,
      audit: new Trail(context),
      charge: (cost, caller, ip) => costLimits.charge(cost, caller, ip),
      countMade: (made, by) => networkLimits.count(made, by),
      now: context.now,
      findCaller: (request, reply) => auth.findCaller(request, reply),
      findMembership: (newsletterId, userId) => findMembership(db, newsletterId, userId),
      findNewsletter: (newsletterId) => findNewsletter(db, newsletterId),
      written: (newsletterId) => newsletters.forget(newsletterId),
    })
    for (const route of routes) if (route.access !== 'page') route.register(api)
  })
  await app.register(async (pages) => {
    readMultipartForms(pages)
    for (const route of routes) if (route.access === 'page') route.register(pages)
  })
  await serveStudio(app)
  refuseOthers()
  return app
}

/** A request target may be a whole URL (RFC 9112 section 3.2.2). Its host is ignored. */
const pathAlone = ({ url = '/' }: { url?: string | undefined }): string =>
  url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/'

/** Whether an address is that of a proxy, by its place on the way to us. The nearest is 0. */
function proxyTrust(trust: Context['config']['trustProxy']): (address: string, hop: number) => boolean {
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  return typeof trust === 'boolean' ? () => trust : proxyAddr.compile(trust.split(',').map((address) => address.trim()))
}
