import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import { type MediaWidth, mediaWidths } from '../media/address.ts'
import type { Library } from '../media/library.ts'
import type { Tried } from '../net/try-address.ts'
import type { AddressTrials } from './address-trials.ts'
import { storedDocument } from './content.ts'
import type { tryAddresses } from './contract.ts'
import { linksWithWords } from './document/links.ts'
import { everyPlan, gatesOf } from './document/visible.ts'
import { asMailed } from './mail-weight.ts'
import { findRenderable } from './queries.ts'
import { parsed, type RenderableText, renderMail, type Site } from './rendering.ts'
import { siteOf } from './site.ts'
import { asItWouldBe } from './would-be.ts'

type Reply = z.input<typeof tryAddresses.reply>

const MOST_LINKS = 100
const MOST_IMAGES = 60

interface Addresses {
  links: { address: string; words: string }[]
  /** Those of the mail, as it asks for them. */
  images: string[]
}

/** Who has every plan sees every link, on the web or in the longest of its mails. */
export const addressesJob: ThreadJob<{ site: Site; publication: RenderableText }, Addresses> = {
  name: 'addresses',
  run({ site, publication }) {
    const access = everyPlan(gatesOf(storedDocument(JSON.parse(publication.content))))
    const mail = parsed(publication, access, 'email')
    const { html } = renderMail(site, mail, { personal: { ...asMailed(site, publication.id), pixelAddress: null } })
    const images = [...html.matchAll(/<img\b[^>]*?\ssrc="([^"]+)"/g)].map(([, src = '']) =>
      src.replaceAll('&amp;', '&'),
    )
    return { links: linksWithWords(parsed(publication, access, 'every').document), images: [...new Set(images)] }
  },
}

type Reaching = Pick<Context, 'db' | 'config' | 'threads' | 'now'> & { library: Library; trials: AddressTrials }

/** Tries where the links of a publication lead, and weighs the images that a reader of its mail downloads. */
export async function reach(context: Reaching, newsletter: NewsletterRow, publicationId: string): Promise<Reply> {
  const { db, config, threads, trials } = context
  const saved = await findRenderable(db, newsletter.id, publicationId)
  const publication = await asItWouldBe(context, newsletter, saved)
  const site = await siteOf(context, newsletter, [publication])
  const found = await threads.run(addressesJob, { site, publication }, publication.content.length)
  const isOwn = (address: string) => URL.parse(address)?.origin === new URL(config.publicUrl).origin
  const links = found.links.slice(0, MOST_LINKS)
  // What this server draws itself has few kilobytes.
  const weighed = found.images.filter((address) => !isOwn(address) || ownMedia(config.publicUrl, address))
  const images = weighed.slice(0, MOST_IMAGES)
  const tried = await trials.tryAll([...links.map(({ address }) => address), ...images].filter((each) => !isOwn(each)))
  const isAmong = (addresses: string[], mediaId: string | null) =>
    mediaId !== null && addresses.some((each) => ownMedia(config.publicUrl, each)?.id === mediaId)
  const weights = await weigh(
    { ...context, newsletterId: newsletter.id },
    images,
    (address) => tried.get(address)?.bytes ?? null,
  )
  const shown = [
    ...links.map((link) => ({ ...link, kind: 'link' as const })),
    ...images.filter((each) => !isOwn(each)).map((address) => ({ address, words: '', kind: 'image' as const })),
  ]
  return {
    links: shown.map((each) => ({ ...each, ...outcome(each.address, tried.get(each.address)) })),
    leftOut: found.links.length - links.length,
    images: {
      count: weighed.length,
      bytes: weights.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      unknown: weighed.length - images.length + weights.filter(({ bytes }) => bytes === null).length,
      besidesText: [
        ...(isAmong(images, publication.cover_media_id) ? ['cover' as const] : []),
        ...(isAmong(images, newsletter.logo_media_id) ? ['logo' as const] : []),
      ],
      heaviest: weights.toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0)).slice(0, 3),
    },
  }
}

/** Of an address that was tried, or of one of this server. */
function outcome(address: string, tried: Tried | undefined) {
  if (!tried) return { answer: 'own' as const, status: null, to: null, insecure: false }
  const { answer, status, to } = tried
  return { answer, status, to, insecure: /^http:/i.test(to ?? address) }
}

type Weights = Reply['images']['heaviest']

/** The bytes of each image; null where its server does not say. One after the other, for a narrower one may have to be made. */
async function weigh(
  { config, library, newsletterId }: Pick<Reaching, 'config' | 'library'> & { newsletterId: string },
  images: string[],
  bytesElsewhere: (address: string) => number | null,
): Promise<Weights> {
  const weights: Weights = []
  for (const address of images) {
    const own = ownMedia(config.publicUrl, address)
    const known = own && (await library.weigh(newsletterId, own.id, own.width).catch(() => null))
    weights.push(known ?? { name: nameIn(address), bytes: own ? null : bytesElsewhere(address) })
  }
  return weights
}

/** The image of this server that an address asks for, and in which width. */
function ownMedia(publicUrl: string, address: string): { id: string; width: MediaWidth | null } | null {
  const [, id, width] = address.startsWith(`${publicUrl}/media/`)
    ? (address.match(/\/media\/([\w-]+)(?:\?w=(\d+))?$/) ?? [])
    : []
  return id ? { id, width: mediaWidths.find((each) => String(each) === width) ?? null } : null
}

const nameIn = (address: string): string => URL.parse(address)?.pathname.split('/').at(-1)?.slice(0, 80) ?? ''
