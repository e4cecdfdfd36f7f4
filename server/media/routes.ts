import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Disk } from 'flydrive'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { Limit } from '../http/limits.ts'
import { on, type PageRequest, page, type Route } from '../http/routes.ts'
import { type MediaWidth, mediaWidths } from './address.ts'
import { listMedia, updateMedia, uploadMedia } from './contract.ts'
import { Library, listMediaRows, present } from './library.ts'
import { openStorage } from './storage.ts'
import { UPLOADS_AN_HOUR } from './upload-limits.ts'

export function mediaRoutes({ config, db }: Context): Route[] {
  const uploads = new Limit(UPLOADS_AN_HOUR, 3600)
  let disk: Promise<Disk> | null = null
  const library = new Library(db, config, () => {
    disk ??= openStorage(config)
    return disk
  })
  return [
    on(uploadMedia, async ({ newsletterId, userId, request }) => {
      await uploads.take(newsletterId)
      const { data, name } = await uploaded(request)
      return present(config, await library.add(newsletterId, { data, name, userId }))
    }),
    on(listMedia, async ({ newsletterId, query }) => {
      const { rows, next } = await listMediaRows(db, newsletterId, query)
      return { rows: rows.map((row) => present(config, row)), next }
    }),
    on(updateMedia, async ({ newsletterId, params, body }) => {
      const row = await db
        .updateTable('media')
        .set({ alt: body.alt })
        .where('newsletter_id', '=', newsletterId)
        .where('id', '=', params.mediaId)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new AppError('media_not_found')
      return present(config, row)
    }),
    page('GET /media/:mediaId', async (request, reply) => {
      const { mediaId } = request.params
      const { row, data } = await library.read(mediaId, askedWidth(request))
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .type(row.mime)
        .send(data)
    }),
  ]
}

/** The one file of a multipart upload, whole. */
async function uploaded(request: FastifyRequest): Promise<{ data: Buffer; name: string }> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const file = await request.file()
  if (file?.fieldname !== 'file') throw new AppError('invalid', { fields: { file: 'required' } })
  return { data: await file.toBuffer(), name: file.filename }
}

/** @throws AppError bad_request for a width that is not kept */
function askedWidth({ query }: PageRequest): MediaWidth | null {
  const { w } = query
  if (w === undefined) return null
  const width = mediaWidths.find((each) => String(each) === w)
  if (!width) throw new AppError('bad_request')
  return width
}
