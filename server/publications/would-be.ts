import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import { dayAt } from '../sponsorship/days.ts'
import { readFilling } from '../sponsorship/slots/fill.ts'
import { storedDocument } from './content.ts'
import { type Filling, type SponsorSlot, withFilling } from './document/sponsor-slots.ts'
import { type Planned, plannedTime } from './going-out.ts'
import type { RenderableText } from './rendering.ts'

/** A publication with what the server knows of its sponsor slots, as `findRenderable` reads it. */
type Slotted = Planned &
  Pick<RenderableText, 'language' | 'content'> & {
    sponsor_slots: readonly SponsorSlot[]
    /** What stood in them when it went out. */
    sponsors: Filling | null
  }

/**
 * What stands in slots of a publication: what stood there when it went out, else what would if it went out to everybody when it is
 * planned, or now. Nothing has run by that.
 */
export async function wouldBeFilling(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletter: NewsletterRow,
  { publication, slots }: { publication: Omit<Slotted, 'content'>; slots: readonly SponsorSlot[] },
): Promise<Filling> {
  if (publication.sponsors) return publication.sponsors
  const at = plannedTime(newsletter, publication, now()) ?? now()
  const asked = { slots, day: dayAt(newsletter, at), language: publication.language, at }
  return Object.fromEntries(await readFilling(db, newsletter, { ...asked, audience: { kind: 'everyone' } }))
}

/** Of a document as JSON. */
export const fillJob: ThreadJob<{ content: string; filling: Filling }, string> = {
  name: 'fill',
  run: ({ content, filling }) => JSON.stringify(withFilling(storedDocument(JSON.parse(content)), filling)),
}

/** The saved publication with its slots filled, to be looked at. */
export async function asItWouldBe<P extends Slotted>(
  context: Pick<Context, 'db' | 'now' | 'threads'>,
  newsletter: NewsletterRow,
  publication: P,
): Promise<P> {
  const { content, sponsor_slots: slots } = publication
  if (slots.length === 0 || publication.sponsors) return publication
  const filling = await wouldBeFilling(context, newsletter, { publication, slots })
  return { ...publication, content: await context.threads.run(fillJob, { content, filling }, content.length) }
}
