import { type Selectable, sql } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { Media as MediaTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { type MediaWidth, widthFor } from './address.ts'
import { Decoder } from './decoder.ts'
import { isAccepted, isWebp } from './file-type.ts'
import { keyOf, narrowKey, pageKey } from './files.ts'
import { pageType, type ShownType, type StoredImage } from './image.ts'
import { lockShares, requireRoom, sharesOf } from './quota.ts'
import type { Storage } from './storage.ts'

export type MediaRow = Selectable<MediaTable>

const StoredType = z.enum(['image/jpeg', 'image/png', 'image/gif'])

export interface Upload {
  newsletterId: string
  /** Who keeps it. Null for an API key whose maker is gone. */
  personId: string | null
  data: Buffer
  /** The file's name on the uploader's machine. */
  name: string
  /** The booking whose sponsor uploads it; theirs must not move. */
  bookingId?: string
}

export interface AskedImage {
  /** The most that it may be wide; null for its own width. */
  width: MediaWidth | null
  /** In the format for pages, unless it moves. */
  isForPage: boolean
}

export interface ReadImage {
  mime: string
  data: Buffer
  /** False when it is another width than was asked for, because too many wait for theirs. */
  isWhatWasAsked: boolean
}

/** A file beside the image itself. */
interface Wanted {
  key: string
  mime: ShownType
  width: MediaWidth
}

interface Dependencies {
  db: Db
  config: Config
  log: Pick<Logger, 'warn'>
  storage: () => Promise<Storage>
}

/** The images of all newsletters: rows in the database, files in the storage. A narrower one is made at its first request. */
export class Library {
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #decoder = new Decoder()

  constructor(private readonly dependencies: Dependencies) {}

  /**
   * The row is there before the file and counts from then on, so that parallel uploads share one quota. One that stays without its
   * file is removed by the daily job.
   *
   * @throws AppError unsupported_media_type by its first bytes, whatever its name says; image_invalid, image_too_heavy, image_moves, media_full,
   *   media_full_person, storage_refuses, storage_away, newsletter_not_found; errors of a full disk
   */
  async add(upload: Upload): Promise<MediaRow> {
    const { data, bookingId } = upload
    if (!isAccepted(data)) throw new AppError('unsupported_media_type')
    const still = bookingId !== undefined
    const image = await this.#decoder.decode({ kind: 'normalise', still }, async () => data)
    const row = await this.#reserve(upload, image)
    try {
      await (await this.dependencies.storage()).write(row.storage_key, image.data)
      return await this.#markStored(row)
    } catch (error) {
      await this.#giveUp(row)
      throw error
    }
  }

  #reserve(
    { newsletterId, personId, name, bookingId }: Upload,
    { data, mime, width, height }: StoredImage,
  ): Promise<MediaRow> {
    const { db, config } = this.dependencies
    const id = publicId()
    const keepers = { newsletterId, personId }
    return inTransaction(db, async (tx) => {
      await lockShares(tx, keepers)
      requireRoom(await sharesOf(tx, config, keepers), data.length)
      return tx
        .insertInto('media')
        .values({
          newsletter_id: newsletterId,
          id,
          storage_key: keyOf(config, { newsletterId, id, mime }),
          file_name: cleanName(name),
          mime,
          bytes: data.length,
          width,
          height,
          created_by: personId,
          booking_id: bookingId ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  }

  async #markStored({ newsletter_id, id }: MediaRow): Promise<MediaRow> {
    const row = await this.dependencies.db
      .updateTable('media')
      .set({ stored_at: sql`now()` })
      .where('newsletter_id', '=', newsletter_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new AppError('newsletter_not_found')
    return row
  }

  /** The daily job does what fails here. */
  async #giveUp({ newsletter_id, id, storage_key }: MediaRow): Promise<void> {
    const { db, log, storage } = this.dependencies
    try {
      await (await storage()).remove(storage_key)
      await db.deleteFrom('media').where('newsletter_id', '=', newsletter_id).where('id', '=', id).execute()
    } catch (error) {
      log.warn({ err: error, media: id }, 'an upload that failed is cleared away later')
    }
  }

  /** The bytes of an image. @throws AppError media_not_found, storage_refuses, storage_away */
  async read(id: string, { width, isForPage }: AskedImage): Promise<ReadImage> {
    const row = await this.#find(id)
    const whole = async (isWhatWasAsked: boolean) => ({ mime: row.mime, data: await this.#whole(row), isWhatWasAsked })
    try {
      if (isForPage && row.mime !== 'image/gif') {
        const data = await this.#forPage(row, width)
        return { mime: isWebp(data) ? pageType : row.mime, data, isWhatWasAsked: true }
      }
      if (width === null || width >= row.width) return await whole(true)
      return { mime: row.mime, data: await this.#narrow(row, width), isWhatWasAsked: true }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error
      return whole(false)
    }
  }

  /** The bytes that `read` answers with, of an image of this newsletter. @throws AppError as `read` */
  async weigh(newsletterId: string, id: string, width: MediaWidth | null): Promise<{ name: string; bytes: number }> {
    const row = await this.#find(id, newsletterId)
    const isWhole = width === null || width >= row.width
    return { name: row.file_name, bytes: isWhole ? row.bytes : (await this.#narrow(row, width)).length }
  }

  /** Of any newsletter where none is named: images are public. */
  async #find(id: string, newsletterId?: string): Promise<MediaRow> {
    const row = await this.dependencies.db
      .selectFrom('media')
      .selectAll()
      .where('id', '=', id)
      .$if(newsletterId !== undefined, (query) => query.where('newsletter_id', '=', newsletterId ?? ''))
      .where('stored_at', 'is not', null)
      .executeTakeFirst()
    if (!row) throw new AppError('media_not_found')
    return row
  }

  #narrow(row: MediaRow, width: MediaWidth): Promise<Buffer> {
    return this.#once(row, { key: narrowKey(row.storage_key, width), mime: StoredType.parse(row.mime), width })
  }

  /** All widths beyond its own are one file. */
  #forPage(row: MediaRow, asked: MediaWidth | null): Promise<Buffer> {
    const width = widthFor(Math.min(asked ?? row.width, row.width))
    return this.#once(row, { key: pageKey(row.storage_key, width), mime: pageType, width })
  }

  /** Makes a file once, however many requests arrive at the same time. */
  #once(row: MediaRow, wanted: Wanted): Promise<Buffer> {
    const { key } = wanted
    const making = this.#making.get(key) ?? this.#findOrMake(row, wanted).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  /** None is heavier than the image itself, so that ten times its bytes are the most that it takes. */
  async #findOrMake(row: MediaRow, wanted: Wanted): Promise<Buffer> {
    const storage = await this.dependencies.storage()
    const { key } = wanted
    const kept = await storage.read(key)
    if (kept) return kept
    const data = await this.#make(row, wanted)
    // A reader gets the picture even when there is no room to keep it.
    await storage.write(key, data).catch((error: unknown) => {
      this.dependencies.log.warn({ err: error, media: row.id }, 'a narrower image could not be kept')
    })
    return data
  }

  async #make(row: MediaRow, { mime, width }: Wanted): Promise<Buffer> {
    const order = { kind: 'narrow', mime, width } as const
    let whole: Buffer | null = null
    try {
      const { data } = await this.#decoder.decode(order, async () => {
        whole = await this.#whole(row)
        return whole
      })
      return data.length <= row.bytes ? data : (whole ?? data)
    } catch (error) {
      // Trying again would cost as much each time.
      if (whole && error instanceof AppError && error.code.startsWith('image_')) return whole
      throw error
    }
  }

  async #whole({ id, storage_key }: MediaRow): Promise<Buffer> {
    const data = await (await this.dependencies.storage()).read(storage_key)
    if (data) return data
    this.dependencies.log.warn({ media: id, key: storage_key }, 'the file of an image is missing')
    throw new AppError('media_not_found')
  }
}

/** A name that may be shown and put into a header, without folders and control characters. */
const cleanName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '').replaceAll(/[\p{Cc}\p{Bidi_Control}"]/gu, '').slice(0, 200) || 'image'

const inTransaction = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run)
