import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mailIdentityOf } from '../newsletters/mail-identity.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import type { WithRelays } from '../relays/relays.ts'
import { countAudience, everyone } from '../subscribers/audience.ts'
import { archiveRoutes } from './archive-routes.ts'
import * as contract from './contract.ts'
import { problemsOf } from './pre-flight.ts'
import { presentPublication, presentSummary } from './present.ts'
import { preview } from './preview.ts'
import { schedule, sendNow, unschedule } from './publish.ts'
import { countByStatus, findPublication, listPublicationRows, type PublicationRow } from './queries.ts'
import { findRevision, listRevisionRows } from './revisions.ts'
import { beginDraft, deleteUnsent, save } from './save.ts'

export function publicationRoutes(context: WithRelays, newsletters: PublicNewsletters): Route[] {
  return [...writingRoutes(context), ...sendingRoutes(context), ...archiveRoutes(context, newsletters)]
}

function writingRoutes({ db, config }: Context): Route[] {
  const whole = (newsletter: NewsletterRow, row: PublicationRow) => presentPublication(config, newsletter, row)
  return [
    on(contract.listPublications, async ({ newsletter, newsletterId, query }) => {
      const { rows, next } = await listPublicationRows(db, newsletterId, query)
      const counts = await countByStatus(db, newsletterId, query.search)
      return { rows: rows.map((row) => presentSummary(config, newsletter, row)), next, ...counts }
    }),
    on(contract.createPublication, async ({ newsletter, userId, body, t }) =>
      whole(newsletter, await db.transaction().execute((tx) => beginDraft(tx, newsletter, { ...body, userId, t }))),
    ),
    on(contract.getPublication, async ({ newsletter, params }) =>
      whole(newsletter, await findPublication(db, newsletter.id, params.publicationId)),
    ),
    on(contract.savePublication, async ({ newsletter, userId, params, body, t }) => {
      const present = (row: PublicationRow) => whole(newsletter, row)
      const saved = await db
        .transaction()
        .execute((tx) => save(tx, { ...params, newsletterId: newsletter.id }, { edit: body, userId, t, present }))
      return present(saved)
    }),
    on(contract.deletePublication, async ({ newsletterId, params, t }) => {
      await db.transaction().execute((tx) => deleteUnsent(tx, { newsletterId, publicationId: params.publicationId }, t))
      return { done: true as const }
    }),
    on(contract.duplicatePublication, async ({ newsletter, userId, params, t }) => {
      const { title, subtitle, subject, language, content, cover_media_id } = await findPublication(
        db,
        newsletter.id,
        params.publicationId,
      )
      const copy = { title, subtitle, subject, language, content, coverMediaId: cover_media_id }
      return whole(
        newsletter,
        await db.transaction().execute((tx) => beginDraft(tx, newsletter, { ...copy, userId, t })),
      )
    }),
    on(contract.listRevisions, async ({ newsletterId, params }) => {
      await findPublication(db, newsletterId, params.publicationId)
      return { revisions: await listRevisionRows(db, newsletterId, params.publicationId) }
    }),
    on(contract.getRevision, async ({ newsletterId, params }) => {
      const row = await findRevision(db, { newsletterId, publicationId: params.publicationId }, params.revision)
      return { ...row, content: row.content as { type: 'doc' } }
    }),
    on(contract.previewPublication, async ({ newsletter, params, body, t }) => {
      const { name, address } = mailIdentityOf(config, newsletter)
      const shown = await preview({ db, config, newsletter }, params.publicationId, { edit: body, t })
      return { from: `${name} <${address}>`, ...shown }
    }),
  ]
}

function sendingRoutes(context: WithRelays): Route[] {
  const { db, config, relays, now } = context
  const mailPermissions = new MailPermissions(context)
  return [
    on(contract.checkPublication, async ({ newsletter, params, t }) => {
      const publication = await findPublication(db, newsletter.id, params.publicationId)
      const audience = await countAudience(db, newsletter.id, everyone)
      const { emailBytes } = await preview({ db, config, newsletter }, publication.id, { t })
      const mailIsCaught = await relays.caught(newsletter.id)
      const mayMail = await mailPermissions.mayMail(newsletter.id)
      const unvouched = mayMail ? [] : [{ code: 'owner_unconfirmed', blocks: true, count: null } as const]
      const facts = { publication, newsletter, receive: audience.receive, channel: 'everywhere' as const, emailBytes }
      return { audience, mailIsCaught, problems: [...unvouched, ...problemsOf(facts)] }
    }),
    on(contract.sendPublication, async ({ newsletter, params, body, t }) => {
      const { channel, at } = body
      const order = { publicationId: params.publicationId, channel, t }
      if (channel === 'everywhere') await mailPermissions.require(newsletter.id)
      const sent = at
        ? await schedule(db, newsletter, { ...order, at: new Date(at), now: now() })
        : await sendNow(db, newsletter, order)
      return presentSummary(config, newsletter, sent)
    }),
    on(contract.unschedulePublication, async ({ newsletter, params, t }) => {
      const key = { newsletterId: newsletter.id, publicationId: params.publicationId }
      return presentSummary(config, newsletter, await unschedule(db, key, t))
    }),
  ]
}
