import { z } from 'zod'
import { endpoint, Newsletter, Paging, pageOf } from '../http/endpoint.ts'

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

/** multipart/form-data with one field `file`: PNG, JPEG, WebP, GIF or AVIF up to 10 MB. It is re-encoded. */
export const uploadMedia = endpoint('POST /api/newsletters/:newsletterId/media', {
  permission: 'media.write',
  summary: 'Upload an image',
  params: Newsletter,
  reply: Media,
  errors: ['too_large', 'unsupported_media_type', 'image_invalid', 'image_too_heavy'],
})

export const listMedia = endpoint('GET /api/newsletters/:newsletterId/media', {
  permission: 'media.read',
  summary: 'Uploaded images, newest first',
  params: Newsletter,
  query: Paging,
  reply: pageOf(Media),
})

export const updateMedia = endpoint('PATCH /api/newsletters/:newsletterId/media/:mediaId', {
  permission: 'media.write',
  summary: 'Describe an image',
  params: Newsletter.extend({ mediaId: z.string().max(20) }),
  body: z.object({ alt: z.string().trim().max(500) }),
  reply: Media,
  errors: ['media_not_found'],
})
