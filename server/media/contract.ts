import { z } from 'zod'
import { Done, endpoint, Newsletter, Paging, pageOf, webAddress } from '../http/endpoint.ts'

/** The owner app makes larger images smaller before it uploads them. */
export const uploadLimits = {
  /** Of the file. */
  bytes: 10 * 1024 * 1024,
  /** In all frames together, since a file of a few kilobytes can claim to be larger than any memory. */
  pixels: 60_000_000,
} as const

export const Media = z.object({
  id: z.string(),
  /** The absolute address of the image, at most 1,600 pixels wide; `?w=600` asks for a narrower one. */
  url: z.string(),
  fileName: z.string(),
  mime: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  createdAt: z.iso.datetime(),
})

/** Where an image is shown. `isOut`: readers have it already, on the web or in their inboxes. */
const Use = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logo'), isOut: z.literal(true) }),
  z.object({
    kind: z.enum(['publication', 'revision']),
    publicationId: z.string(),
    title: z.string(),
    isOut: z.boolean(),
  }),
  z.object({ kind: z.literal('booking'), bookingId: z.string(), sponsor: z.string(), isOut: z.boolean() }),
])

export const MediaWithUses = Media.extend({
  /** At most ten. An earlier version of a publication is named when nothing else uses the image. */
  uses: z.array(Use),
  /** When it is removed unless it is used until then. Null while it is used. */
  removedAt: z.iso.datetime().nullable(),
})

const Amount = z.object({ bytes: z.int(), files: z.int() })
/** `standing`: guests and people who have confirmed no address have less room. */
const Share = z.object({ used: Amount, most: Amount, standing: z.enum(['guest', 'unproven', 'proven']) })

const OneMedia = Newsletter.extend({ mediaId: z.string().max(20) })

/** Why an image is not kept, wherever it comes from. */
const refusals = [
  'file_too_large',
  'unsupported_media_type',
  'image_invalid',
  'image_too_heavy',
  'media_full',
  'media_full_person',
  'too_many_requests',
  'storage_full',
  'read_only',
  'storage_refuses',
  'storage_away',
] as const

/** multipart/form-data with one field `file`: PNG, JPEG, WebP, GIF or AVIF up to 10 MB. It is re-encoded. */
export const uploadMedia = endpoint('POST /api/newsletters/:newsletterId/media', {
  permission: 'media.write',
  cost: 'image',
  makes: 'uploads',
  summary: 'Upload an image',
  params: Newsletter,
  reply: Media,
  errors: [...refusals],
})

/** The server fetches the image from a public address, once, and keeps it like an upload. Redirects are not followed. */
export const fetchMedia = endpoint('POST /api/newsletters/:newsletterId/media/fetch', {
  permission: 'media.write',
  cost: 'image',
  makes: 'uploads',
  summary: 'Keep an image of another server',
  params: Newsletter,
  body: z.object({ address: webAddress() }),
  reply: Media,
  errors: ['image_unreachable', ...refusals],
})

export const listMedia = endpoint('GET /api/newsletters/:newsletterId/media', {
  permission: 'media.read',
  summary: 'Uploaded images and where they are used, newest first',
  params: Newsletter,
  query: Paging,
  reply: pageOf(MediaWithUses),
})

export const getMediaUsage = endpoint('GET /api/newsletters/:newsletterId/media-usage', {
  permission: 'media.read',
  summary: 'What the images of the newsletter take of its quota, and those of the caller of theirs in all newsletters',
  params: Newsletter,
  reply: z.object({ newsletter: Share, person: Share.nullable() }),
})

export const updateMedia = endpoint('PATCH /api/newsletters/:newsletterId/media/:mediaId', {
  permission: 'media.write',
  summary: 'Describe an image',
  params: OneMedia,
  body: z.object({ alt: z.string().trim().max(500) }),
  reply: Media,
  errors: ['media_not_found'],
})

export const deleteMedia = endpoint('DELETE /api/newsletters/:newsletterId/media/:mediaId', {
  permission: 'media.write',
  summary:
    'Delete an image. One that is used is only deleted with `evenIfUsed=true`: it goes from mails and pages that readers have',
  params: OneMedia,
  query: z.object({ evenIfUsed: z.enum(['true', 'false']).default('false') }),
  reply: Done,
  errors: ['media_not_found', 'media_in_use'],
  audit: { act: 'image_deleted', keeps: ['evenIfUsed'] },
})
