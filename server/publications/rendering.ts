import type { ReactElement } from 'react'
import type { Config } from '../config.ts'
import { type RenderedMail, renderPublicationMail } from '../email/render.ts'
import { mailWidth } from '../email/tokens.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { dateFormat, type Language, locales } from '../languages.ts'
import { type KnownPicture, picturesOf } from '../media/pictures.ts'
import { logoOf, nameInAddress } from '../newsletters/branded-page.tsx'
import { brandStyle } from '../newsletters/branding.ts'
import type { BrandStyle } from '../page/brand-style.ts'
import { coverAddress } from '../page/routes.ts'
import { translator } from '../translator.ts'
import { storedDocument } from './content.ts'
import { textOf } from './document/attributes.ts'
import { darkModeStyle, documentStyle } from './document/document-style.ts'
import { excerpt } from './document/document-text.ts'
import { renderEmailBody } from './document/email.tsx'
import { renderText } from './document/plain-text.ts'
import type { RenderOptions, WebOptions } from './document/render-options.ts'
import type { DocumentNode } from './document/schema.ts'
import { typeset, typesetDocument } from './document/typography.ts'
import { type Access, type View, visibleTo } from './document/visible.ts'
import { renderWeb } from './document/web.tsx'
import { playerPath } from './player.page.tsx'
import { publicationUrl } from './present.ts'
import type { StoredPublication } from './queries.ts'

/** So many characters of a text are the preheader of a mail without a subtitle. */
const PREHEADER_LENGTH = 110

/** What is rendered: the saved publication, or what is in somebody's editor, as one kind of reader may see it. */
export type Renderable = Pick<
  StoredPublication,
  | 'id'
  | 'number'
  | 'slug'
  | 'title'
  | 'subtitle'
  | 'language'
  | 'published_at'
  | 'off_web_at'
  | 'cover_media_id'
  | 'draws_cover'
  | 'digest'
> &
  View

/** What differs between a preview, a test and each recipient. */
export interface Personal {
  /** A sponsor's link has an id of its own. */
  link: (href: string, linkId?: string | null) => string
  mergeTag: (medium: 'html' | 'text', field: string, fallback: string) => string
  unsubscribeAddress: string
  /** The subscriber's own page. */
  dataAddress: string | null
  /** Where whoever may read all of it reads it on the web; null where everybody reads the same. */
  readAddress: string | null
  pixelAddress: string | null
  /** Shown to nobody: whoever follows it follows every address of a mail. */
  canaryAddress: string | null
}

/** As a stranger reads it: links lead where they say, merge tags show their fallback. */
export const impersonal = (addresses: Pick<Personal, 'unsubscribeAddress' | 'dataAddress'>): Personal => ({
  link: (href) => href,
  mergeTag: (_medium, _field, fallback) => fallback,
  ...addresses,
  readAddress: null,
  pixelAddress: null,
  canaryAddress: null,
})

/** A day as a newsletter writes it: its timezone, the publication's language. `long` leaves the weekday out. */
export const writtenDate = (
  date: Date,
  language: Language,
  { timezone, dateStyle = 'full' }: { timezone: string; dateStyle?: 'full' | 'long' },
): string => dateFormat(locales[language], { dateStyle, timeZone: timezone }).format(date)

/** Without the weekday, so that it fits beside the name of the newsletter on a phone. */
const mailDate = (
  { published_at }: Pick<Renderable, 'published_at'>,
  language: Language,
  { timezone }: NewsletterRow,
) => writtenDate(published_at ?? new Date(), language, { timezone, dateStyle: 'long' })

const wordsOf = (language: Language): RenderOptions['t'] => {
  const t = translator(language)
  return (key, params) => t(key, params ?? {})
}

type Instance = Pick<Config, 'publicUrl'>

/** Whose publication is rendered, and where. It is plain data, as everything here, so that a thread can be given it. */
export interface Site {
  config: Instance
  newsletter: NewsletterRow
  /** The newsletter's images that what is rendered may show. */
  pictures: KnownPicture[]
  /** Whether whoever sees it is signed in to read. */
  isSignedIn?: boolean
  /** The language that whoever sees it chose; left out, all of a page is in that of its publication. */
  chosen?: Language | null
  /** The plans that can be taken now. Pages ask for them, mails and feeds lead to a page. */
  openPlans?: number[]
}

/** A publication to render whose document is JSON: it is parsed where it is rendered. */
export type RenderableText = Omit<Renderable, keyof View> & { content: string }

/** The publication for readers with this access, where they read it. Whatever is shown to anybody comes through here. */
export const parsed = (
  { content, ...publication }: RenderableText,
  access: Access,
  surface: Parameters<typeof visibleTo>[2],
): Renderable => ({
  ...publication,
  ...visibleTo(storedDocument(JSON.parse(content)), access, surface),
})

/** Where the footer of a mail leads that is nobody's. */
export const nobodysAddresses = ({ config: { publicUrl }, newsletter: { id } }: Site) => ({
  unsubscribeAddress: `${publicUrl}/sub/${id}`,
  dataAddress: `${publicUrl}/subscribe/${id}/me`,
})

/** The publication as it is shown: set by the rules of its language. It is kept as it was typed. */
export const typesetPublication = (publication: Renderable): Renderable => {
  const { title, subtitle, document, language } = publication
  return {
    ...publication,
    title: typeset(title, language),
    subtitle: typeset(subtitle, language),
    document: typesetDocument(document, language),
  }
}

/** What it says of itself where its text is not: its subtitle, or how it begins. */
export const summaryOf = ({ subtitle, document, language }: Renderable, length?: number): string =>
  // The excerpt has usual spaces alone.
  typeset(subtitle || excerpt(document, length), language)

/** The first of the characters of private use (The Unicode Standard, section 23.5), each of which stands for a merge tag until a text is cut. */
const FIRST_MARK = 0xe000
const marks = /[\ue000-\uf8ff]/g

/** What a mail says of itself in the preview of an inbox. Merge tags say in it what they say in the mail; where it ends is the same for all readers. */
function preheaderOf(publication: Renderable, mergeTag: (field: string, fallback: string) => string): string {
  const values: string[] = []
  const marked = (node: DocumentNode): DocumentNode => {
    const fallback = textOf(node, 'fallback')
    if (node.type !== 'mergeTag') return node.content ? { ...node, content: node.content.map(marked) } : node
    // Where there are no words instead, the gap is closed. Each mark is a character, so those behind are not seen.
    if (fallback.trim() === '' || values.length > PREHEADER_LENGTH) return node
    const at = values.push(mergeTag(textOf(node, 'field'), fallback)) - 1
    return { ...node, attrs: { ...node.attrs, fallback: String.fromCharCode(FIRST_MARK + at) } }
  }
  const { document } = publication
  const summary = summaryOf(
    { ...publication, document: { ...document, content: document.content?.map(marked) ?? [] } },
    PREHEADER_LENGTH,
  )
  return summary.replaceAll(marks, (mark) => values[mark.charCodeAt(0) - FIRST_MARK] ?? mark)
}

/** The publication as a mail, HTML and plain text. The words around it are in the recipient’s language. */
export function renderMail(
  { config, newsletter, pictures }: Site,
  stored: Renderable,
  { personal, readerLanguage = stored.language }: { personal: Personal; readerLanguage?: Language },
): RenderedMail & { preheader: string } {
  const publication = typesetPublication(stored)
  const { document, cut, language, cover_media_id: coverId, draws_cover: drawsCover } = publication
  const style = brandStyle(newsletter.accent, newsletter.pairing)
  const image = picturesOf(config, pictures)
  const options = (medium: 'html' | 'text'): RenderOptions => ({
    t: wordsOf(language),
    link: personal.link,
    image,
    mergeTag: (field, fallback) => personal.mergeTag(medium, field, fallback),
  })
  const cover = coverId
    ? { src: image({ mediaId: coverId, src: null }, mailWidth).src, night: null }
    : drawsCover && drawnCovers(config, publication.id, style)
  const preheader = preheaderOf(publication, (...tag) => personal.mergeTag('html', ...tag))
  const t = wordsOf(readerLanguage)
  const publicAddress = publicationUrl(config, newsletter, publication)
  const archive = `${config.publicUrl}/n/${nameInAddress(newsletter)}`
  const mail = renderPublicationMail(
    {
      t,
      language,
      readerLanguage,
      title: publication.title,
      preheader,
      style,
      rules: darkModeStyle(document, true),
      newsletter: newsletter.name,
      logo: logoOf(config, newsletter),
      number: publication.number,
      date: mailDate(publication, readerLanguage, newsletter),
      webAddress: (publicAddress && !cut && personal.readAddress) || publicAddress,
      // That of a digest has the titles which its headings have again. It is for the preview in the inbox.
      standfirst: (!publication.digest && publication.subtitle) || null,
      cover: cover ? { ...cover, alt: '' } : null,
      body: renderEmailBody(document, { ...options('html'), style }),
      paywall: cut && { minutes: cut.minutes, address: publicAddress ?? archive, test: newsletter.card_test },
      unsubscribeAddress: personal.unsubscribeAddress,
      dataAddress: personal.dataAddress,
      postalAddress: newsletter.postal_address || null,
      pixelAddress: personal.pixelAddress,
      canaryAddress: personal.canaryAddress,
    },
    renderText(document, options('text')),
  )
  return { ...mail, preheader }
}

/** The one drawn for a publication that has none of its own; as PNG, for mail programs show no SVG. */
function drawnCovers({ publicUrl }: Instance, publicationId: string, style: BrandStyle) {
  const picture = { seed: publicationId, inks: style, shape: 'wide', format: 'png' } as const
  return { src: publicUrl + coverAddress(picture), night: publicUrl + coverAddress({ ...picture, time: 'night' }) }
}

/** The preview is shown inside the owner app. */
export type Medium = 'page' | 'preview' | 'feed'

const players: Record<Medium, WebOptions['player']> = {
  page: ({ embed }) => embed,
  // What is inside the owner app inherits its policy, which frames nobody but ourselves.
  preview: ({ url }) => playerPath(url),
  feed: null,
}

/** The document as a page or a feed shows it, and the rules it adds to the page's style. */
export function renderBody(
  { config, newsletter, pictures }: Site,
  publication: Renderable,
  medium: Medium,
): { body: ReactElement; css: string } {
  const { document, language } = publication
  const image = picturesOf(config, pictures, medium !== 'feed')
  const { link, mergeTag } = impersonal({ unsubscribeAddress: '', dataAddress: null })
  const body = renderWeb(document, {
    t: wordsOf(language),
    // An address without a host, such as that of a file stored here, has no meaning in a feed reader.
    link: medium === 'feed' ? (href) => URL.parse(href, config.publicUrl)?.href ?? href : link,
    player: players[medium],
    notesAt: medium === 'feed' ? publicationUrl(config, newsletter, publication) : null,
    image,
    // A page knows nobody, so a tag without a fallback would leave a hole such as “Dear , welcome”.
    mergeTag: (field, fallback) => {
      const said = mergeTag('html', field, fallback)
      return said.trim() === '' ? '…' : said
    },
  })
  return { body, css: documentStyle(document) }
}
