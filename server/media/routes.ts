import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { Limit, SharedLimit } from '../http/limits.ts'
import { on, type PageRequest, page, type Route } from '../http/routes.ts'
import type { Caller } from '../http/scope.ts'
import { type MediaWidth, mediaWidths } from './address.ts'
import * as contract from './contract.ts'
import { fetchImage } from './fetch-image.ts'
import { Library } from './library.ts'
import { listMedia, present } from './list.ts'
import { openStorage } from './open-storage.ts'
import { requireRoom, sharesOf } from './quota.ts'
import { deleteMedia } from './remove.ts'
import type { Storage } from './storage.ts'
import { FETCHES_AN_HOUR, MAX_UPLOAD_BYTES, UPLOADS_AN_HOUR } from './upload-limits.ts'
import { UploadPlaces } from './upload-places.ts'

/** What all uploads of this process share: few images are decoded at once, whoever sends them. */
export interface Uploading {
  library: Library
  places: UploadPlaces
}

export function startUploading({ config, db, log }: Context): Uploading {
  let storage: Promise<Storage> | null = null
  const library = new Library({
    db,
    config,
    log,
    storage: () => {
      storage ??= openStorage(config)
      return storage
    },
  })
  return { library, places: new UploadPlaces() }
}

export function mediaRoutes({ config, db, pool }: Context, { library, places }: Uploading): Route[] {
  const uploads = new Limit(UPLOADS_AN_HOUR, 3600)
  // What is fetched costs another server, so that all processes count together.
  const fetches = new SharedLimit(pool, { name: 'fetched images', points: FETCHES_AN_HOUR, seconds: 3600 })
  return [
    on(contract.uploadMedia, async ({ newsletterId, request }) => {
      await uploads.take(newsletterId)
      refuseTooLarge(request)
      const personId = await personOf(db, request.caller)
      const shares = await sharesOf(db, config, { newsletterId, personId })
      requireRoom(shares, 1)
      const isProven = shares.newsletter.standing === 'proven' && shares.person?.standing !== 'guest'
      const release = places.take({ newsletterId, personId, isProven })
      try {
        const { data, name } = await uploaded(request)
        return present(config, await library.add({ newsletterId, personId, data, name }))
      } finally {
        release()
      }
    }),
    on(contract.fetchMedia, async ({ newsletterId, request, body }) => {
      const personId = await personOf(db, request.caller)
      requireRoom(await sharesOf(db, config, { newsletterId, personId }), 1)
      const release = places.takeForFetch(newsletterId)
      try {
        await fetches.take(newsletterId)
        const { data, name } = await fetchImage(config, body.address)
        return present(config, await library.add({ newsletterId, personId, data, name }))
      } finally {
        release()
      }
    }),
    on(contract.listMedia, ({ newsletterId, query }) => listMedia(db, config, { newsletterId, query })),
    on(contract.getMediaUsage, async ({ newsletterId, userId }) =>
      sharesOf(db, config, { newsletterId, personId: userId }),
    ),
    on(contract.updateMedia, async ({ newsletterId, params, body }) => {
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
    on(contract.deleteMedia, async ({ newsletterId, params: { mediaId }, query }) => {
      await deleteMedia(db, { newsletterId, mediaId, evenIfUsed: query.evenIfUsed === 'true' })
      return { done: true as const }
    }),
    page('GET /media/:mediaId', async (request, reply) => {
      const { mediaId } = request.params
      const { mime, data, isWhatWasAsked } = await library.read(mediaId, {
        width: askedWidth(request),
        isForPage: isForPage(request),
      })
      return reply
        .header('cache-control', isWhatWasAsked ? 'public, max-age=31536000, immutable' : 'no-store')
        .header('cross-origin-resource-policy', 'cross-origin')
        .type(mime)
        .send(data)
    }),
  ]
}

/** Whose quota an upload takes: the caller's, or that of the person who made the key. */
async function personOf(db: Db, caller: Caller | null): Promise<string | null> {
  if (!caller?.key) return caller?.user.id ?? null
  const key = await db
    .selectFrom('api_key')
    .select('created_by')
    .where('newsletter_id', '=', caller.key.newsletterId)
    .where('id', '=', caller.key.id)
    .executeTakeFirst()
  return key?.created_by ?? null
}

/** The frame of a form around a file. */
const FORM_BYTES = 10_000

/** Before anything is read of it. */
function refuseTooLarge({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES + FORM_BYTES) throw tooLarge()
}

const tooLarge = () => new AppError('file_too_large', { params: { megabytes: MAX_UPLOAD_BYTES / 1024 ** 2 } })

/** The one file of a multipart upload, whole. */
async function uploaded(request: FastifyRequest): Promise<{ data: Buffer; name: string }> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const file = await request.file().catch(unreadable)
  if (file?.fieldname !== 'file') throw new AppError('invalid', { fields: { file: 'required' } })
  const data = await file.toBuffer().catch((error: unknown) => {
    throw file.file.truncated ? tooLarge() : unreadable(error)
  })
  return { data, name: file.filename }
}

/** The parser's own errors have no status: a form without a boundary, or one that ends too early. @throws AppError bad_request */
function unreadable(error: unknown): never {
  if (error instanceof Error && !('statusCode' in error)) throw new AppError('bad_request', { cause: error })
  throw error
}

/** @throws AppError bad_request for anything but a page */
function isForPage({ query }: PageRequest): boolean {
  if (query.for !== undefined && query.for !== 'page') throw new AppError('bad_request')
  return query.for === 'page'
}

/** @throws AppError bad_request for a width that is not kept */
function askedWidth({ query }: PageRequest): MediaWidth | null {
  const { w } = query
  if (w === undefined) return null
  const width = mediaWidths.find((each) => String(each) === w)
  if (!width) throw new AppError('bad_request')
  return width
}
