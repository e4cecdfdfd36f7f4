import type { z } from 'zod'
import { AppError, type ErrorCode } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import { isEmptyDocument, storedDocument } from './content.ts'
import type { checkPublication } from './contract.ts'
import type { DocumentNode, PublicationDocument } from './document/schema.ts'
import { everyPlan, gatesOf } from './document/visible.ts'
import type { PublicationRow } from './queries.ts'
import { impersonal, nobodysAddresses, parsed, type RenderableText, renderMail, type Site } from './rendering.ts'

type Problem = z.input<typeof checkPublication.reply>['problems'][number]

interface Facts {
  publication: Pick<PublicationRow, 'title' | 'subject'> & { content: unknown }
  newsletter: Pick<NewsletterRow, 'postal_address' | 'sender_address'>
  receive: number
  channel: 'everywhere' | 'web'
  /** Of the mail's HTML. */
  emailBytes: number
}

const GMAIL_CLIPS_AT = 102 * 1024
const LONG_SUBJECT = 78

interface CheckInput extends Omit<Facts, 'publication' | 'newsletter' | 'emailBytes'> {
  site: Site
  publication: RenderableText & { subject: string }
}

/** Renders the mail as well, because its size is one of the facts. */
export const checkJob: ThreadJob<CheckInput, Problem[]> = {
  name: 'check',
  run({ site, publication, ...facts }) {
    const document = storedDocument(JSON.parse(publication.content))
    // The longest of its mails.
    const whole = parsed(publication, everyPlan(gatesOf(document)))
    const { html } = renderMail(site, whole, { personal: impersonal(nobodysAddresses(site)) })
    return problemsOf({
      ...facts,
      publication: { ...publication, content: document },
      newsletter: site.newsletter,
      emailBytes: Buffer.byteLength(html),
    })
  },
}

/** What stands in the way of sending (`blocks`), and what is worth a look. Values in, values out. */
function problemsOf({ publication, newsletter, receive, channel, emailBytes }: Facts): Problem[] {
  const document = storedDocument(publication.content)
  const mailed = channel === 'everywhere'
  const withoutAlt = count(document, (node) => node.type === 'image' && !String(node.attrs?.alt ?? '').trim())
  const jumps = headingJumps(document)
  const found: [Problem['code'], boolean, boolean, number | null][] = [
    ['no_title', !publication.title.trim(), true, null],
    ['empty_publication', isEmptyDocument(document), true, null],
    ['no_subscribers', mailed && receive === 0, true, null],
    ['no_postal_address', mailed && !newsletter.postal_address.trim(), true, null],
    ['no_sender', mailed && !newsletter.sender_address, false, null],
    ['alt_missing', withoutAlt > 0, false, withoutAlt],
    ['too_long_for_gmail', mailed && emailBytes > GMAIL_CLIPS_AT, false, emailBytes],
    ['long_subject', (publication.subject || publication.title).length > LONG_SUBJECT, false, null],
    ['heading_order', jumps > 0, false, jumps],
  ]
  return found.filter(([, holds]) => holds).map(([code, , blocks, times]) => ({ code, blocks, count: times }))
}

interface SendableInput extends Pick<Facts, 'receive' | 'channel'> {
  newsletter: Facts['newsletter']
  publication: Pick<RenderableText, 'title' | 'content'> & { subject: string }
}

/** Throws an AppError of the first problem that blocks. */
export const sendableJob: ThreadJob<SendableInput, null> = {
  name: 'sendable',
  run({ publication: { title, subject, content }, ...facts }) {
    const publication = { title, subject, content: JSON.parse(content) }
    const first = problemsOf({ ...facts, publication, emailBytes: 0 }).find(({ blocks }) => blocks)
    if (first) throw new AppError(first.code as ErrorCode)
    return null
  },
}

function count(node: DocumentNode, holds: (node: DocumentNode) => boolean): number {
  return (holds(node) ? 1 : 0) + (node.content ?? []).reduce((sum, child) => sum + count(child, holds), 0)
}

/** How often a heading skips a level: screen readers walk through levels. The title is the first. */
function headingJumps(document: PublicationDocument): number {
  let level = 1
  return count(document, (node) => {
    if (node.type !== 'heading') return false
    const next = Number(node.attrs?.level ?? 1)
    const jumps = next > level + 1
    level = next
    return jumps
  })
}
