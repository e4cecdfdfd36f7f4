import type { DocumentNode, PublicationDocument } from './schema.ts'

/** Where sponsors stand in a document: those of one placement. */
export interface SponsorSlot {
  placementId: number
  /** Whether whoever has a plan reads on without it. */
  hideFromPaid: boolean
}

/** What stands in a slot for one sponsor, or the newsletter's own words where nobody booked it. */
export interface Filled {
  kind: 'booking' | 'house'
  /** Of the booking, or of the campaign. */
  id: string
  /** Of the short link by which its clicks in mails are counted; null where clicks are not counted, and in previews. */
  linkId: string | null
  /** Above it, so that nobody takes it for the newsletter's. */
  disclosure: string
  name: string
  text: string
  label: string
  target: string
  image: { mediaId: string; alt: string } | null
}

/** What stands in each slot of a publication, by the id of its placement. */
export type Filling = Readonly<Record<string, readonly Filled[]>>

export const isSlot = ({ type }: DocumentNode): boolean => type === 'sponsorSlot'

/** A slot that does not say it well is hidden from who has paid. */
export const hidesFromPaid = ({ attrs }: DocumentNode): boolean => attrs?.hideFromPaid !== false

export const placementOf = ({ attrs }: DocumentNode): number => Number(attrs?.placementId)

/** What a slot was filled with; null when nothing has filled it. */
export const filledIn = ({ attrs }: DocumentNode): readonly Filled[] | null =>
  Array.isArray(attrs?.filled) ? attrs.filled : null

/** The slots of a document that somebody sees, in reading order: the column `publication.sponsor_slots` says the same. */
export function slotsOf({ content = [] }: PublicationDocument): SponsorSlot[] {
  const wall = content.findIndex(({ type }) => type === 'paywall')
  return content.flatMap((node, index) => {
    // Below a paywall nobody is left who has not paid.
    const isSeen = wall === -1 || index < wall || !hidesFromPaid(node)
    return isSlot(node) && isSeen ? [{ placementId: placementOf(node), hideFromPaid: hidesFromPaid(node) }] : []
  })
}

/** The document with its slots filled, or empty again where there is no filling. */
export function withFilling(document: PublicationDocument, filling: Filling | null): PublicationDocument {
  if (!document.content?.some(isSlot)) return document
  const fill = (node: DocumentNode): DocumentNode => ({
    ...node,
    attrs: { ...node.attrs, filled: filling?.[placementOf(node)] ?? null },
  })
  return { ...document, content: document.content.map((node) => (isSlot(node) ? fill(node) : node)) }
}

/** The short links of a document's slots: each leads where its sponsor says. */
export const sponsorLinks = ({ content = [] }: PublicationDocument): { linkId: string; target: string }[] =>
  content.flatMap((node) =>
    isSlot(node) ? (filledIn(node) ?? []).flatMap(({ linkId, target }) => (linkId ? [{ linkId, target }] : [])) : [],
  )

/** What is left of a slot for who sees it: a node for each sponsor, which no writer can put into a document. */
export const sponsorsIn = (slot: DocumentNode): DocumentNode[] =>
  (filledIn(slot) ?? []).map((filled) => ({ type: 'sponsor', attrs: { ...filled } }))

/** The picture of a sponsor, or null. */
export function imageOf({ attrs }: DocumentNode): Filled['image'] {
  const image: Partial<NonNullable<Filled['image']>> = Object(attrs?.image)
  return image.mediaId ? { mediaId: image.mediaId, alt: image.alt ?? '' } : null
}

/** The short link of a sponsor, or null. */
export const linkIdOf = ({ attrs }: DocumentNode): string | null =>
  typeof attrs?.linkId === 'string' ? attrs.linkId : null

/** House campaigns are the newsletter's own words, which nobody paid for. */
export const isPaidFor = ({ attrs }: DocumentNode): boolean => attrs?.kind === 'booking'

/** The lines of a sponsor's text: each is a paragraph. */
export const linesOf = ({ attrs }: DocumentNode): string[] =>
  String(attrs?.text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
