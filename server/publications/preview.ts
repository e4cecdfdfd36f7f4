import type { z } from 'zod'
import type { Config } from '../config.ts'
import { framed } from '../page/framed.ts'
import type { Translate } from '../translator.ts'
import { checkedDocument } from './content.ts'
import type { previewPublication } from './contract.ts'
import { publicationPage } from './publication.page.tsx'
import { findPublication } from './queries.ts'
import { impersonal, type Renderable, renderable, renderMail, type Site } from './rendering.ts'

type Edit = z.output<typeof previewPublication.body>
type Preview = Omit<z.input<typeof previewPublication.reply>, 'from'>

/** Where the unsubscribe link of a mail leads that is nobody's. */
const nobodysExit = ({ publicUrl }: Pick<Config, 'publicUrl'>, newsletterId: string): string =>
  `${publicUrl}/sub/${newsletterId}`

/** The publication, or what is in the editor, as web page, mail and text: whole documents for a sandboxed frame. */
export async function preview(
  site: Site,
  publicationId: string,
  { edit = {}, t }: { edit?: Edit; t: Translate },
): Promise<Preview> {
  const row = await findPublication(site.db, site.newsletter.id, publicationId)
  const saved = renderable(row)
  const shown: Renderable = {
    ...saved,
    title: edit.title ?? saved.title,
    subtitle: edit.subtitle ?? saved.subtitle,
    document: edit.content === undefined ? saved.document : checkedDocument(edit.content, t),
  }
  const mail = await renderMail(site, shown, { personal: impersonal(nobodysExit(site.config, site.newsletter.id)) })
  const web = await publicationPage(site.db, site.config, { newsletter: site.newsletter, publication: shown })
  return {
    subject: row.subject || shown.title,
    preheader: mail.preheader,
    web: framed(web.html),
    email: framed(mail.html),
    text: mail.text,
    emailBytes: Buffer.byteLength(mail.html),
  }
}
