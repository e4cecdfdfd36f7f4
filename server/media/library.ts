import type { Disk } from 'flydrive'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { Media as MediaTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Paging } from '../http/endpoint.ts'
import { type MediaWidth, mediaAddress } from './address.ts'
import type { Media } from './contract.ts'
import { decode } from './decoder.ts'
import { isAccepted } from './file-type.ts'
import { keyPrefix } from './storage.ts'

export type MediaRow = Selectable<MediaTable>

const StoredType = z.enum(['image/jpeg', 'image/png', 'image/gif'])
const extension = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif' } as const

interface Upload {
  data: Buffer
  /** The file's name on the uploader's machine. */
  name: string
  userId: string | null
}

/** The images of all newsletters: rows in the database, files in the storage. A narrower one is made at its first request. */
export class Library {
  readonly #making = new Map<string, Promise<Buffer>>()

  constructor(
    private readonly db: Db,
    private readonly config: Config,
    private readonly disk: () => Promise<Disk>,
  ) {}

  /** @throws AppError unsupported_media_type by its first bytes, whatever its name says; image_invalid, image_too_heavy */
  async add(newsletterId: string, { data, name, userId }: Upload): Promise<MediaRow> {
    if (!isAccepted(data)) throw new AppError('unsupported_media_type')
    const image = await decode({ kind: 'normalise' }, data)
    const id = publicId()
    const key = `${keyPrefix(this.config)}${newsletterId}/${id}.${extension[image.mime]}`
    await (await this.disk()).put(key, image.data)
    return this.db
      .insertInto('media')
      .values({
        newsletter_id: newsletterId,
        id,
        storage_key: key,
        file_name: cleanName(name),
        mime: image.mime,
        bytes: image.data.length,
        width: image.width,
        height: image.height,
        created_by: userId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** The bytes of an image, at most `width` pixels wide. @throws AppError media_not_found */
  async read(id: string, width: MediaWidth | null): Promise<{ row: MediaRow; data: Buffer }> {
    const row = await this.db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('media_not_found')
    const narrow = width !== null && width < row.width
    return { row, data: narrow ? await this.#narrow(row, width) : await this.#bytes(row.storage_key) }
  }

  /** Makes a narrower image once, however many requests arrive at the same time. */
  #narrow(row: MediaRow, width: MediaWidth): Promise<Buffer> {
    const key = row.storage_key.replace(/(\.\w+)$/, `-${width}$1`)
    const making = this.#making.get(key) ?? this.#make(row, width, key).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  async #make(row: MediaRow, width: MediaWidth, key: string): Promise<Buffer> {
    const disk = await this.disk()
    if (await disk.exists(key)) return this.#bytes(key)
    const order = { kind: 'narrow', mime: StoredType.parse(row.mime), width } as const
    const { data } = await decode(order, await this.#bytes(row.storage_key))
    await disk.put(key, data)
    return data
  }

  #bytes = async (key: string): Promise<Buffer> => Buffer.from(await (await this.disk()).getBytes(key))
}

/** A name that may be shown and put into a header, without folders and control characters. */
const cleanName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '').replaceAll(/[\p{Cc}"]/gu, '').slice(0, 200) || 'image'

export const present = (config: Config, row: MediaRow): z.input<typeof Media> => ({
  id: row.id,
  url: mediaAddress(config, row.id),
  fileName: row.file_name,
  mime: row.mime,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  alt: row.alt,
  createdAt: row.created_at.toISOString(),
})

/** Newest first. The cursor is the time and id of the last row. */
export async function listMediaRows(db: Db, newsletterId: string, { cursor, limit }: z.output<typeof Paging>) {
  let query = db
    .selectFrom('media')
    .selectAll()
    .select(sql<string>`to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('position'))
    .where('newsletter_id', '=', newsletterId)
  const [at, id] = (cursor ?? '').split('~')
  if (at && id && !Number.isNaN(Date.parse(at))) {
    query = query.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id})`)
  }
  const found = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? `${last.position}~${last.id}` : null }
}
