import type { z } from 'zod'
import { plansForSale } from '../charge/plans/plans.ts'
import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { mailIdentityOf } from '../newsletters/mail-identity.ts'
import { framed } from '../page/framed.ts'
import { translator } from '../translator.ts'
import { checkedDocument, storedDocument } from './content.ts'
import type { previewPublication } from './contract.ts'
import { type Filling, type SponsorSlot, slotsOf, withFilling } from './document/sponsor-slots.ts'
import { typeset } from './document/typography.ts'
import { accessOf, gatesOf, visibleTo } from './document/visible.ts'
import { plannedTime } from './going-out.ts'
import { publicationPage } from './publication.page.tsx'
import { findRenderable } from './queries.ts'
import { impersonal, nobodysAddresses, type RenderableText, renderMail, type Site } from './rendering.ts'
import { siteOf } from './site.ts'
import { wouldBeFilling } from './would-be.ts'

type Edit = z.output<typeof previewPublication.body>
type Preview = z.input<typeof previewPublication.reply>

interface PreviewInput {
  site: Site
  /** As it is saved, with the title and subtitle of the editor. */
  publication: RenderableText & { subject: string }
  /** A JSON object whose `content` is shown instead of the saved one: it was not checked. */
  edited: string | null
  from: string
  /** Of the sentences about a document that is refused. */
  language: Language
  reader: Edit['reader']
  /** What stands in its sponsor slots. */
  filling: Filling
}

/** The reply as JSON in UTF-8: it can be ten megabytes, which take long to write. */
export const previewJob: ThreadJob<PreviewInput, Uint8Array> = {
  name: 'preview',
  run: (input) => new Uint8Array(Buffer.from(JSON.stringify(previewOf(input)))),
}

function previewOf({ site, publication, edited, from, language, reader, filling }: PreviewInput): Preview {
  const { content, ...rest } = publication
  const written =
    edited === null
      ? storedDocument(JSON.parse(content))
      : checkedDocument(JSON.parse(edited).content, translator(language))
  const document = withFilling(written, filling)
  const access = accessOf(reader, gatesOf(document))
  const mail = renderMail(
    site,
    { ...rest, ...visibleTo(document, access, 'email') },
    { personal: impersonal(nobodysAddresses(site)) },
  )
  return {
    from,
    isGated: gatesOf(document).length > 0,
    subject: typeset(publication.subject || rest.title, rest.language),
    preheader: mail.preheader,
    web: framed(publicationPage(site, { ...rest, ...visibleTo(document, access, 'web') }, 'preview').html),
    email: framed(mail.html),
    text: mail.text,
    emailBytes: Buffer.byteLength(mail.html),
  }
}

interface Asked {
  publicationId: string
  edit: Edit
  /** The body of the request as it arrived, of which `edit` was read. */
  bodyText: string
  language: Language
}

/**
 * The publication, or what is in the editor, as web page, mail and text: whole documents for a sandboxed frame. The reply as JSON in UTF-8.
 *
 * @throws AppError publication_not_found, document_invalid, rendering_failed, busy
 */
export async function preview(
  { db, config, threads, now }: Pick<Context, 'db' | 'config' | 'threads' | 'now'>,
  newsletter: NewsletterRow,
  { publicationId, edit, bodyText, language }: Asked,
): Promise<Buffer> {
  const saved = await findRenderable(db, newsletter.id, publicationId)
  const edited = edit.content === undefined ? null : bodyText
  const at = edit.at ? new Date(edit.at) : (plannedTime(newsletter, saved, now()) ?? now())
  const { name, address } = mailIdentityOf(config, newsletter)
  const publication = {
    ...saved,
    title: edit.title ?? saved.title,
    subtitle: edit.subtitle ?? saved.subtitle,
    published_at: saved.published_at ?? at,
    ...(edited !== null && { content: NOTHING }),
  }
  const slots = edit.content === undefined ? saved.sponsor_slots : slotsInEdit(edit.content)
  const filling = await wouldBeFilling({ db, now }, newsletter, { publication: { ...saved, scheduled_at: at }, slots })
  const shown = [edited ?? saved.content, JSON.stringify(filling)].map((content) => ({ ...saved, content }))
  const site = {
    ...(await siteOf({ db, config }, newsletter, shown)),
    openPlans: await plansForSale(db, newsletter.id),
  }
  const input = { site, publication, edited, from: `${name} <${address}>`, language, reader: edit.reader, filling }
  const { buffer, byteOffset, byteLength } = await threads.run(previewJob, input, (edited ?? saved.content).length)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The slots of a document that nobody has checked yet. */
function slotsInEdit({ content }: Record<string, unknown>): SponsorSlot[] {
  const nodes = Array.isArray(content) ? content.filter((node) => typeof Object(node).type === 'string') : []
  const slots = slotsOf({ type: 'doc', content: nodes })
  return slots
    .filter(({ placementId }) => placementId > 0 && placementId <= 2_147_483_647 && Number.isInteger(placementId))
    .slice(0, MOST_SLOTS)
}

/** As many as a newsletter has placements. */
const MOST_SLOTS = 40

/** In place of a document that is not shown. */
const NOTHING = '{"type":"doc"}'
