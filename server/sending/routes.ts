import PostalMime from 'postal-mime'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { Limit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { sendTest } from '../publications/contract.ts'
import { framed } from '../publications/preview.ts'
import { findPublication } from '../publications/queries.ts'
import type { CaughtMail } from '../relays/outbox.ts'
import { decideUncertainDeliveries, exportDeliveries, listDeliveries, listOutbox, readOutboxMail } from './contract.ts'
import { listDeliveryRows, streamDeliveries } from './delivery-list.ts'
import { sendTestMail } from './test-mail.ts'
import { decideUncertain } from './uncertain.ts'

export function deliveryRoutes(context: Context): Route[] {
  const { db, pool, mail } = context
  const tests = new Limit(30, 3600)
  // Each holds a connection to the database for as long as its reader takes.
  const exports = new Limit(20, 600)
  const vouchers = new MailPermissions(context)
  return [
    on(listDeliveries, async ({ newsletterId, params, query }) => {
      await findPublication(db, newsletterId, params.publicationId)
      return listDeliveryRows(db, { newsletterId, publicationId: params.publicationId }, query)
    }),
    on(exportDeliveries, async ({ newsletterId, params, query, reply }) => {
      const { id, slug } = await findPublication(db, newsletterId, params.publicationId)
      await exports.take(newsletterId)
      reply.type('text/csv; charset=utf-8').header('cache-control', 'no-store')
      reply.header('content-disposition', `attachment; filename="deliveries-${slug ?? id}.csv"`)
      return streamDeliveries(pool, { newsletterId, publicationId: id }, query)
    }),
    on(decideUncertainDeliveries, async ({ newsletterId, params, body, t }) => ({
      decided: await decideUncertain(db, { newsletterId, publicationId: params.publicationId }, body, t),
    })),
    on(sendTest, async ({ newsletter, params, body, request }) => {
      const to = body.to ?? [request.caller?.user?.email ?? '']
      if (to.includes('')) throw new AppError('invalid', { fields: { to: 'required' } })
      await vouchers.require(newsletter.id)
      await tests.take(newsletter.id)
      await sendTestMail(context, newsletter, params.publicationId, to)
      return { to }
    }),
    on(listOutbox, async ({ newsletterId, query, request }) => {
      const all = await mail.outbox.list()
      const reader = { newsletterId, email: request.caller?.user?.email ?? null }
      const theirs = all.filter((caught) => mayRead(caught, reader) && matches(caught, query.search))
      const after = query.cursor ? theirs.filter(({ id }) => id < (query.cursor ?? '')) : theirs
      const rows = after.slice(0, query.limit)
      const next = after.length > rows.length ? (rows.at(-1)?.id ?? null) : null
      return { rows: rows.map(shown), next, caught: await mail.caught(newsletterId), total: theirs.length }
    }),
    on(readOutboxMail, async ({ newsletterId, params, request }) => {
      const found = await mail.outbox.read(params.mailId)
      const reader = { newsletterId, email: request.caller?.user?.email ?? null }
      if (!found || !mayRead(found.mail, reader)) throw new AppError('mail_not_found')
      const { html, text, headers } = await PostalMime.parse(found.source)
      return {
        ...shown(found.mail),
        html: html ? framed(html) : null,
        text: text ?? null,
        headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
        source: found.source.toString('utf8'),
      }
    }),
  ]
}

interface Reader {
  newsletterId: string
  email: string | null
}

/** The newsletter's own mail, and what is addressed to the reader alone: never another's, never others' sign-in links. */
function mayRead({ newsletterId, envelope }: CaughtMail, reader: Reader): boolean {
  if (newsletterId !== null && newsletterId === reader.newsletterId) return true
  const [only, ...more] = envelope.to
  return reader.email !== null && more.length === 0 && only?.toLowerCase() === reader.email.toLowerCase()
}

function matches({ to, subject }: CaughtMail, search: string | undefined): boolean {
  const wanted = search?.toLowerCase() ?? ''
  return to.toLowerCase().includes(wanted) || subject.toLowerCase().includes(wanted)
}

const shown = ({ id, from, to, subject, at, bytes }: CaughtMail) => ({ id, from, to, subject, at, bytes })
