import type { Db } from '../database/client.ts'
import { derivedId } from '../database/ids.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { type Translate, translator } from '../translator.ts'
import { searchableText } from './content.ts'
import { freeId } from './deleted.ts'
import type { DocumentNode, PublicationDocument } from './document/schema.ts'
import { findWholePublication, type WholePublicationRow } from './queries.ts'
import type { Saver } from './revisions.ts'
import { beginDraft } from './save.ts'

/** The id of the sample draft of a newsletter, which has one at most. While it is at its first revision nobody has written in it. */
export const sampleId = (newsletterId: string): string => derivedId(`sample of ${newsletterId}`)

/**
 * The sample draft, in the language of the newsletter: a letter with words in it, to be sent to oneself. Made once, in a transaction.
 * @throws AppError too_many_publications
 */
export async function findOrMakeSample(
  tx: Db,
  newsletter: NewsletterRow,
  { saver, publicUrl }: { saver: Saver; publicUrl: string },
): Promise<WholePublicationRow> {
  const id = sampleId(newsletter.id)
  // Of two who press at once the second waits, and finds it.
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletter.id).forNoKeyUpdate().execute()
  const made = await tx
    .selectFrom('publication')
    .select('id')
    .where('newsletter_id', '=', newsletter.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (made) return findWholePublication(tx, newsletter.id, id)
  await freeId(tx, { newsletterId: newsletter.id, publicationId: id })
  const t = translator(newsletter.language)
  const content = sampleDocument(t, `${publicUrl}/subscribe/${nameInAddress(newsletter)}`)
  const document = { content: JSON.stringify(content), ...searchableText(content) }
  return beginDraft(tx, newsletter, { id, saver, title: t('sample.title'), subtitle: t('sample.subtitle'), document })
}

/** A relay or the outbox took the sample: the step of the set-up is done, whatever becomes of its draft. */
export const noteSampleMailed = (db: Db, newsletterId: string) =>
  db
    .updateTable('newsletter')
    .set({ sample_mailed: true })
    .where('id', '=', newsletterId)
    .where('sample_mailed', '=', false)
    .execute()

function sampleDocument(t: Translate, subscribePage: string): PublicationDocument {
  const name = { type: 'mergeTag', attrs: { field: 'first_name', fallback: t('sample.reader') } }
  const [before = '', after = ''] = t('sample.greeting').split('{name}')
  return {
    type: 'doc',
    content: [
      { type: 'paragraph', content: [...text(before), name, ...text(after)] },
      paragraph(t('sample.what')),
      heading(t('sample.seenTitle')),
      paragraph(t('sample.seen')),
      { type: 'blockquote', content: [paragraph(t('sample.quote'))] },
      heading(t('sample.nextTitle')),
      {
        type: 'bulletList',
        content: (['write', 'test', 'invite'] as const).map((each) => ({
          type: 'listItem',
          content: [paragraph(t(`sample.next.${each}`))],
        })),
      },
      { type: 'button', attrs: { label: t('sample.button'), href: subscribePage, align: 'center' } },
      paragraph(t('sample.outbox')),
    ],
  }
}

const text = (words: string): DocumentNode[] => (words ? [{ type: 'text', text: words }] : [])
const paragraph = (words: string): DocumentNode => ({ type: 'paragraph', content: text(words) })
const heading = (words: string): DocumentNode => ({ type: 'heading', attrs: { level: 2 }, content: text(words) })
