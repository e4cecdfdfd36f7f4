import type { DocumentNode } from './document/schema.ts'
import { impersonal, nobodysAddresses, type Personal, type Renderable, renderMail, type Site } from './rendering.ts'

/** What the HTML of a mail is made of. `frame`: all around the publication, such as its head and its footer. */
type MailPart = 'text' | 'tables' | 'pictures' | 'buttons' | 'sponsors' | 'frame'

/** Gmail hides what comes after so many bytes of HTML behind a link. */
export const GMAIL_CLIPS_AT = 102 * 1024

const SHORT_ID = '0'.repeat(10)
const UUID = '0'.repeat(36)

/** A mail as somebody gets it: what differs between subscribers is as long as it will be, for it belongs to nobody. */
export function asMailed(site: Site, publicationId: string): Personal {
  const { publicUrl } = site.config
  const { id, click_privacy: clicks, open_privacy: opens } = site.newsletter
  const reader = clicks === 'person' ? `?s=${UUID}` : ''
  const shortLink = `${publicUrl}/r/${SHORT_ID}${reader}`
  const pixel = `${publicUrl}/o/${id}/${publicationId}`
  return {
    ...impersonal({
      unsubscribeAddress: `${publicUrl}/unsub/${id}/${UUID}?p=${publicationId}`,
      dataAddress: `${nobodysAddresses(site).dataAddress}/${UUID}`,
    }),
    link: (href) => (clicks === 'off' || !/^https?:/i.test(href) ? href : shortLink),
    pixelAddress: opens === 'off' ? null : opens === 'person' ? `${pixel}/${UUID}.gif` : `${pixel}.gif`,
    canaryAddress: reader ? shortLink : null,
  }
}

const parts: Readonly<Record<string, MailPart>> = {
  table: 'tables',
  image: 'pictures',
  video: 'pictures',
  button: 'buttons',
  sponsor: 'sponsors',
}

const partOf = ({ type }: DocumentNode): MailPart => parts[type] ?? 'text'

/** The bytes of the mail's HTML, and where it is more than half of what Gmail shows, those of its parts, the largest first. */
export function mailWeight(site: Site, publication: Renderable) {
  const personal = asMailed(site, publication.id)
  const bytesOf = (content: DocumentNode[]): number => {
    const document = { ...publication.document, content }
    return Buffer.byteLength(renderMail(site, { ...publication, document }, { personal }).html)
  }
  const content = publication.document.content ?? []
  const bytes = bytesOf(content)
  if (bytes <= GMAIL_CLIPS_AT / 2) return { bytes, parts: [] }
  const frame = bytesOf([])
  const byPart = [...Map.groupBy(content, partOf)].map(([part, nodes]) => ({ part, bytes: bytesOf(nodes) - frame }))
  const all = [...byPart, { part: 'frame' as const, bytes: frame }]
  return { bytes, parts: all.toSorted((one, other) => other.bytes - one.bytes) }
}
