import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { callerOf } from '../audit/lines.ts'
import { plansForSale } from '../charge/plans/plans.ts'
import type { ReaderSessions } from '../charge/readers/sessions.ts'
import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Library } from '../media/library.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { requireMayLeave } from '../newsletters/may-leave.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { maySendAs } from '../newsletters/sender-proof.ts'
import { capacityOf, secondsFor } from '../relays/capacity.ts'
import type { WithRelays } from '../relays/relays.ts'
import { audienceOf } from '../segments/audience.ts'
import type { AudienceChoice } from '../segments/contract.ts'
import { BookingChanges } from '../sponsorship/tell.ts'
import { countAudience, countLacking } from '../subscribers/audience.ts'
import { translator } from '../translator.ts'
import { AddressTrials } from './address-trials.ts'
import { archiveRoutes } from './archive-routes.ts'
import { type CheckedDocument, documentJob } from './content.ts'
import * as contract from './contract.ts'
import { deleteUnsent, listDeletedRows, removeDeleted, restoreDeleted } from './deleted.ts'
import { moveOnWeb } from './off-web.ts'
import { playerRoute } from './player.page.tsx'
import { checkJob } from './pre-flight.ts'
import { presentPublication, presentSummary } from './present.ts'
import { preview } from './preview.ts'
import { schedule, sendSoon, unschedule } from './publish.ts'
import {
  countByStatus,
  findPublication,
  findRenderable,
  findWholePublication,
  lastMailAt,
  listPublicationRows,
  type WholePublicationRow,
} from './queries.ts'
import { reach } from './reach.ts'
import { findRevision, listRevisionRows, type Saver } from './revisions.ts'
import { findOrMakeSample } from './sample.ts'
import { beginDraft, planDay, save } from './save.ts'
import { siteOf } from './site.ts'
import { slotsOfPublication } from './slots.ts'
import { asItWouldBe } from './would-be.ts'

export function publicationRoutes(
  context: WithRelays & { library: Library },
  newsletters: PublicNewsletters,
  readers: ReaderSessions,
): Route[] {
  return [
    ...writingRoutes(context),
    ...sendingRoutes(context),
    ...archiveRoutes(context, newsletters, readers),
    playerRoute,
  ]
}

const saverOf = (userId: string | null, { caller }: FastifyRequest): Saver => ({
  userId,
  keyId: caller?.key?.id ?? null,
})

function writingRoutes({ db, config, threads, now }: Context): Route[] {
  const whole = (newsletter: NewsletterRow, row: WholePublicationRow) => presentPublication(config, newsletter, row)
  return [
    on(contract.listPublications, async ({ newsletter, newsletterId, query }) => {
      const { rows, next } = await listPublicationRows(db, newsletterId, query)
      const counts = await countByStatus(db, newsletterId, query)
      return { rows: rows.map((row) => presentSummary(config, newsletter, row)), next, ...counts }
    }),
    on(contract.createPublication, async ({ newsletter, userId, body: { content, ...body }, request }) => {
      const saver = saverOf(userId, request)
      const document = content === undefined ? null : await check(request)
      return whole(
        newsletter,
        await db.transaction().execute((tx) => beginDraft(tx, newsletter, { ...body, document, saver })),
      )
    }),
    on(contract.makeSample, async ({ newsletter, userId, request }) =>
      whole(
        newsletter,
        await db
          .transaction()
          .execute((tx) =>
            findOrMakeSample(tx, newsletter, { saver: saverOf(userId, request), publicUrl: config.publicUrl }),
          ),
      ),
    ),
    on(contract.getPublication, async ({ newsletter, params }) =>
      whole(newsletter, await findWholePublication(db, newsletter.id, params.publicationId)),
    ),
    on(contract.savePublication, async ({ newsletter, userId, params, body: { content, ...edit }, t, request }) => {
      const document = content === undefined ? null : await check(request)
      const present = (row: WholePublicationRow) => whole(newsletter, row)
      const saver = saverOf(userId, request)
      const saved = await db
        .transaction()
        .execute((tx) => save(tx, { ...params, newsletterId: newsletter.id }, { edit, document, saver, t, present }))
      return present(saved)
    }),
    on(contract.deletePublication, async ({ newsletterId, params, t }) => {
      await db.transaction().execute((tx) => deleteUnsent(tx, { newsletterId, publicationId: params.publicationId }, t))
      return { done: true as const }
    }),
    on(contract.listDeleted, ({ newsletterId, query }) => listDeletedRows(db, newsletterId, query)),
    on(contract.restorePublication, async ({ newsletter, params: { publicationId } }) =>
      whole(
        newsletter,
        await db.transaction().execute((tx) => restoreDeleted(tx, { newsletterId: newsletter.id, publicationId })),
      ),
    ),
    on(contract.removeDeletedPublication, async ({ newsletterId, params: { publicationId } }) => {
      await removeDeleted(db, { newsletterId, publicationId })
      return { done: true as const }
    }),
    on(contract.duplicatePublication, async ({ newsletter, userId, params, language: spoken, request }) => {
      const original = await findRenderable(db, newsletter.id, params.publicationId)
      const { title, subtitle, subject, language, content, cover_media_id, draws_cover } = original
      const json = `{"content":${content}}`
      const document = await threads.run(documentJob, { json, language: spoken }, json.length)
      const copy = {
        // The title may have 300 characters. What is around it stays, and no half of a character.
        title:
          title &&
          translator(language)('publications.copyOf', { title: title.slice(0, 285).replace(/[\uD800-\uDBFF]$/, '') }),
        subtitle,
        subject,
        language,
        document,
        coverMediaId: cover_media_id,
        drawsCover: draws_cover,
        saver: saverOf(userId, request),
      }
      return whole(newsletter, await db.transaction().execute((tx) => beginDraft(tx, newsletter, copy)))
    }),
    on(contract.listRevisions, async ({ newsletterId, params }) => {
      await findPublication(db, newsletterId, params.publicationId)
      return { revisions: await listRevisionRows({ db, threads }, params) }
    }),
    on(contract.getRevision, async ({ newsletterId, params }) => {
      const row = await findRevision(db, { newsletterId, publicationId: params.publicationId }, params.revision)
      return { ...row, content: row.content as { type: 'doc' } }
    }),
    on(contract.planDay, async ({ newsletterId, params: { publicationId }, body: { day }, t }) => {
      await planDay(db, { newsletterId, publicationId }, { day, t })
      return { done: true as const }
    }),
    on(contract.readSlots, ({ newsletter, params, query }) =>
      slotsOfPublication({ db, config, now }, newsletter, { publicationId: params.publicationId, ...query }),
    ),
    on(contract.previewPublication, async ({ newsletter, params, body, language, request, reply }) => {
      const asked = { publicationId: params.publicationId, edit: body, bodyText: request.bodyText, language }
      const shown = await preview({ db, config, threads, now }, newsletter, asked)
      reply.type('application/json; charset=utf-8').send(shown)
      return undefined
    }),
  ]

  /** The document in the body of a request. @throws AppError document_invalid */
  function check({ bodyText, language }: FastifyRequest): Promise<CheckedDocument> {
    return threads.run(documentJob, { json: bodyText, language }, bodyText.length)
  }
}

function sendingRoutes(context: WithRelays & { library: Library }): Route[] {
  const { db, config, relays, threads, now, shownIds } = context
  const mailPermissions = new MailPermissions(context)
  const trials = new AddressTrials(context)
  const publishing = { db, threads, bookings: new BookingChanges(context) }
  return [
    on(contract.checkPublication, async ({ newsletter, params, query, may }) => {
      const saved = await findRenderable(db, newsletter.id, params.publicationId)
      const publication = await asItWouldBe(context, newsletter, saved)
      const chosen = await audienceOf(db, newsletter.id, choiceIn(query))
      const whom = { publicationId: publication.id, audience: chosen }
      const audience = await countAudience(db, newsletter.id, whom)
      const site = await siteOf({ db, config }, newsletter, [publication])
      const mailIsCaught = await relays.caught(newsletter.id)
      const { channel } = query
      const mailed = channel === 'everywhere'
      const mayMail = !mailed || (await mailPermissions.mayMail(newsletter.id))
      const unvouched = mayMail ? [] : [{ code: 'owner_unconfirmed', blocks: true, count: null } as const]
      const proven = !mailed || (await maySendAs(context, newsletter))
      const unproven = proven ? [] : [{ code: 'sender_unproven', blocks: true, count: null } as const]
      const receive = audience.receive + audience.onDigest
      const forSale = await plansForSale(db, newsletter.id)
      const facts = { site, publication, receive, channel, forSale, leaves: !mailIsCaught }
      const checked = await threads.run(checkJob, facts, publication.content.length)
      const { problems, bareTags, ...found } = checked
      const lacking = mailed ? await countLacking(db, newsletter.id, { ...whom, tags: bareTags }) : []
      const most = Math.max(0, ...lacking.map(({ count }) => count))
      const empty = most > 0 ? [{ code: 'empty_merge_fields', blocks: true, count: most } as const] : []
      return {
        audience,
        mailIsCaught,
        lastMailAt: await lastMailAt(db, newsletter.id, publication.id),
        problems: [...unvouched, ...unproven, ...problems, ...empty],
        ...found,
        sendingSeconds: mailIsCaught
          ? null
          : secondsFor(await capacityOf(context, newsletter.id), audience.receive, now().getTime()),
        emptyMergeFields: lacking.map(({ field, count, examples }) => ({
          field,
          count,
          examples: may('subscribers.read')
            ? examples.map(({ id, email }) => ({ subscriberId: shownIds.show(id), email }))
            : [],
        })),
      }
    }),
    on(contract.tryAddresses, ({ newsletter, params }) =>
      reach({ ...context, trials }, newsletter, params.publicationId),
    ),
    on(contract.sendPublication, async ({ newsletter, params, body, t, auditLine }) => {
      const { channel, audience, at } = body
      const order = { publicationId: params.publicationId, channel, audience, t }
      if (channel === 'everywhere') {
        await mailPermissions.require(newsletter.id)
        await requireMayLeave(context, newsletter)
      }
      const sent = at
        ? await schedule(context, newsletter, { ...order, at: new Date(at), now: now() })
        : await sendSoon(publishing, newsletter, order)
      if (sent.audience?.kind === 'segment') auditLine?.note({ segment: sent.audience.name })
      if (sent.audience?.kind === 'plan') auditLine?.note({ plan: sent.audience.name ?? sent.audience.plan })
      return presentSummary(config, newsletter, sent)
    }),
    on(contract.unschedulePublication, async ({ newsletter, params }) => {
      const key = { newsletterId: newsletter.id, publicationId: params.publicationId }
      return presentSummary(config, newsletter, await unschedule(db, key))
    }),
    on(contract.takeOffWeb, async ({ newsletter, newsletterId, params: { publicationId }, request }) => {
      const by = callerOf({ newsletterId, request })
      return presentSummary(config, newsletter, await moveOnWeb(context, by, { publicationId, to: 'off' }))
    }),
    on(contract.putBackOnWeb, async ({ newsletter, newsletterId, params: { publicationId }, request }) => {
      const by = callerOf({ newsletterId, request })
      return presentSummary(config, newsletter, await moveOnWeb(context, by, { publicationId, to: 'back' }))
    }),
  ]
}

/** The audience that a query names; a segment before a plan. */
function choiceIn({ segmentId, plan }: z.output<typeof contract.checkPublication.query>): AudienceChoice {
  if (segmentId !== undefined) return { kind: 'segment', segmentId }
  return plan === undefined ? { kind: 'everyone' } : { kind: 'plan', plan }
}
