import type { z } from 'zod'
import { AppError, type ErrorCode } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { brandStyle } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'
import { isEmptyDocument, storedDocument } from './content.ts'
import type { checkPublication } from './contract.ts'
import { type BareMergeTag, bareMergeTags, countBareOnWeb } from './document/bare-merge-tags.ts'
import { wordCount } from './document/document-text.ts'
import { type LowContrast, lowContrasts } from './document/low-contrast.ts'
import { noteOf } from './document/note-text.ts'
import type { DocumentNode, PublicationDocument } from './document/schema.ts'
import { type VagueLink, vagueLinks } from './document/vague-links.ts'
import { everyPlan, gatesOf, shownOn, strangersAccess, visibleTo } from './document/visible.ts'
import { writtenInAnother } from './document/written-language.ts'
import { GMAIL_CLIPS_AT, mailWeight } from './mail-weight.ts'
import type { PublicationRow } from './queries.ts'
import { parsed, type RenderableText, type Site } from './rendering.ts'

type Problem = z.input<typeof checkPublication.reply>['problems'][number]

interface Facts {
  publication: Pick<PublicationRow, 'title' | 'subject' | 'language'> & { content: unknown }
  newsletter: Pick<NewsletterRow, 'postal_address' | 'sender_address'>
  receive: number
  channel: 'everywhere' | 'web'
  /** False while its mail is caught. */
  leaves: boolean
  /** Of the mail's HTML. */
  emailBytes: number
  /** Places in colours that are hard to read. */
  lowContrasts: number
  /** Links whose words do not say where they lead. */
  vagueLinks: number
  /** The language that its text is in, when it says another one. */
  writtenIn: Language | null
  /** The plans that somebody can take; null where it is not asked. */
  forSale: readonly number[] | null
}

const LONG_SUBJECT = 78
/** Of the places that have the same problem. */
const MOST_SHOWN = 5
/** Fewer words above a paywall tell nobody why they should pay. */
const WORDS_ABOVE_PAYWALL = 40

/** What is found in the text itself. */
type Found = 'emailBytes' | 'lowContrasts' | 'vagueLinks' | 'writtenIn'

interface CheckInput extends Omit<Facts, 'publication' | 'newsletter' | Found> {
  site: Site
  publication: RenderableText & { subject: string }
}

interface Checked {
  problems: Problem[]
  bareTags: BareMergeTag[]
  mail: ReturnType<typeof mailWeight>
  lowContrasts: LowContrast[]
  vagueLinks: VagueLink[]
  writtenIn: Language | null
}

/** Renders the mail as well, because its size is one of the facts. */
export const checkJob: ThreadJob<CheckInput, Checked> = {
  name: 'check',
  run({ site, publication, ...facts }) {
    const document = storedDocument(JSON.parse(publication.content))
    const access = everyPlan(gatesOf(document))
    // The longest of its mails.
    const mail = mailWeight(site, parsed(publication, access, 'email'))
    const whole = parsed(publication, access, 'every')
    const { accent, pairing } = site.newsletter
    const low = lowContrasts(whole.document, brandStyle(accent, pairing))
    const vague = vagueLinks(whole.document)
    const writtenIn = writtenInAnother(document, publication.language)
    const problems = problemsOf({
      ...facts,
      publication: { ...publication, content: document },
      newsletter: site.newsletter,
      emailBytes: mail.bytes,
      lowContrasts: low.length,
      vagueLinks: vague.length,
      writtenIn,
    })
    const bareTags = bareMergeTags(document)
    const shown = { lowContrasts: low.slice(0, MOST_SHOWN), vagueLinks: vague.slice(0, MOST_SHOWN) }
    return { problems, bareTags, mail, ...shown, writtenIn }
  },
}

/** What stands in the way of sending (`blocks`), and what is worth a look. Values in, values out. */
function problemsOf({
  publication,
  newsletter,
  receive,
  channel,
  leaves,
  emailBytes,
  lowContrasts: low,
  vagueLinks: vague,
  writtenIn,
  forSale,
}: Facts): Problem[] {
  const document = storedDocument(publication.content)
  const mailed = channel === 'everywhere'
  const empty = isEmptyDocument(shownOn(document, mailed ? 'email' : 'web'))
  const withoutAlt = count(document, (node) => node.type === 'image' && !String(node.attrs?.alt ?? '').trim())
  const leadingNowhere = count(document, (node) => node.type === 'button' && !String(node.attrs?.href ?? '').trim())
  const emptyNotes = count(document, (node) => node.type === 'footnote' && noteOf(node).length === 0)
  const bareOnWeb = countBareOnWeb(document)
  const jumps = headingJumps(document)
  const above = wordsAbovePaywall(document)
  const shut = forSale ? notForSale(document, forSale) : 0
  const halfShut = forSale ? partlyForSale(document, forSale) : 0
  const found: [Problem['code'], boolean, boolean, number | null][] = [
    ['no_title', !publication.title.trim(), true, null],
    ['empty_publication', empty, true, null],
    ['nothing_on_web', !empty && isEmptyDocument(shownOn(document, 'web')), false, null],
    ['bare_on_web', bareOnWeb > 0, false, bareOnWeb],
    ['no_subscribers', mailed && receive === 0, true, null],
    ['no_postal_address', mailed && !newsletter.postal_address.trim(), leaves, null],
    ['no_sender', mailed && !newsletter.sender_address, false, null],
    ['alt_missing', withoutAlt > 0, false, withoutAlt],
    ['button_without_address', leadingNowhere > 0, false, leadingNowhere],
    ['empty_note', emptyNotes > 0, false, emptyNotes],
    ['too_long_for_gmail', mailed && emailBytes > GMAIL_CLIPS_AT, false, emailBytes],
    ['copied_title', endsAsCopy(publication), false, null],
    ['long_subject', mailed && (publication.subject || publication.title).length > LONG_SUBJECT, false, null],
    ['heading_order', jumps > 0, false, jumps],
    ['low_contrast', low > 0, false, low],
    ['vague_links', vague > 0, false, vague],
    ['other_language', writtenIn !== null, false, null],
    ['little_above_paywall', above !== null && above < WORDS_ABOVE_PAYWALL, false, above],
    ['gate_not_for_sale', shut > 0, false, shut],
    ['gate_names_closed', halfShut > 0, false, halfShut],
  ]
  return found.filter(([, holds]) => holds).map(([code, , blocks, times]) => ({ code, blocks, count: times }))
}

/** Whether the title still has the words that a copy gets. */
function endsAsCopy({ title, language }: Facts['publication']): boolean {
  const words = translator(language)('publications.copyOf', { title: '' }).trim()
  return title.trim().endsWith(` ${words}`)
}

/** What a stranger reads before the paywall; null when there is none. */
function wordsAbovePaywall(document: PublicationDocument): number | null {
  const { document: open, cut } = visibleTo(document, strangersAccess, 'web')
  return cut ? wordCount(open) : null
}

/** How many gates nobody can buy a way through: each plan that they name is closed or has no price, or there is no plan at all. */
const notForSale = (document: PublicationDocument, forSale: readonly number[]): number =>
  gatesOf(document).filter((gate) => {
    if (gate === 'free') return false
    return gate === 'paid' ? forSale.length === 0 : !gate.some((id) => forSale.includes(id))
  }).length

/** How many gates name a plan that can be taken and one that cannot. Who has the other one reads on; nobody new can choose it. */
const partlyForSale = (document: PublicationDocument, forSale: readonly number[]): number =>
  gatesOf(document).filter((gate) => {
    if (typeof gate === 'string') return false
    const open = gate.filter((id) => forSale.includes(id)).length
    return open > 0 && open < gate.length
  }).length

interface SendableInput extends Pick<Facts, 'receive' | 'channel'> {
  newsletter: Facts['newsletter']
  publication: Pick<RenderableText, 'title' | 'language' | 'content'> & { subject: string }
}

/** None of these blocks, and what mail needs that leaves is asked for by `requireMayLeave`. */
const onlyWhatBlocks: Pick<Facts, Found | 'leaves'> = {
  ...{ emailBytes: 0, lowContrasts: 0, vagueLinks: 0, writtenIn: null },
  leaves: false,
}

/** Throws an AppError of the first problem that blocks. Answers the merge tags that block where somebody would read nothing there. */
export const sendableJob: ThreadJob<SendableInput, BareMergeTag[]> = {
  name: 'sendable',
  run({ publication: { title, subject, language, content }, ...facts }) {
    const publication = { title, subject, language, content: JSON.parse(content) }
    const problems = problemsOf({ ...facts, ...{ publication, forSale: null }, ...onlyWhatBlocks })
    const first = problems.find(({ blocks }) => blocks)
    if (first) throw new AppError(first.code as ErrorCode)
    return facts.channel === 'web' ? [] : bareMergeTags(storedDocument(publication.content))
  },
}

/** Of a publication that goes to people who are not known yet: only their address is sure to be there. @throws AppError empty_merge_fields */
export function requireFallbacks(tags: readonly BareMergeTag[]): void {
  if (tags.some(({ field }) => field !== 'email')) throw new AppError('empty_merge_fields')
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
