import { setTimeout as sleep } from 'node:timers/promises'
import { S3Driver } from 'flydrive/drivers/s3'
import { AppError } from '../errors.ts'
import { messageOf } from '../start-error.ts'
import { type Storage, type StoredFile, storageError } from './storage.ts'

const CONNECT_MS = 3_000
/** One call with its second attempt. A picture has 5 MB at most. */
const LONGEST_MS = 20_000

/** Files in a bucket of Amazon S3 or of a store that speaks its language. */
export class BucketStorage implements Storage {
  readonly place: string
  readonly #driver: S3Driver

  constructor(url: URL) {
    const endpoint = url.searchParams.get('endpoint')
    const credentials = url.username && {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    }
    this.place = `s3://${url.hostname}${endpoint ? ` (${new URL(endpoint).host})` : ''}`
    this.#driver = new S3Driver({
      bucket: url.hostname,
      region: url.searchParams.get('region') ?? 'us-east-1',
      visibility: 'private',
      supportsACL: false,
      maxAttempts: 2,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: LONGEST_MS },
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
    })
  }

  async write(key: string, data: Buffer): Promise<void> {
    await inTime(this.#driver.put(key, data))
  }

  async read(key: string): Promise<Buffer | null> {
    try {
      return Buffer.from(await inTime(this.#driver.getBytes(key)))
    } catch (error) {
      if (error instanceof NoSuchFile) return null
      throw error
    }
  }

  async remove(key: string): Promise<void> {
    await inTime(this.#driver.delete(key))
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    let next: string | undefined
    do {
      const page = await inTime(
        this.#driver.listAll(folder, { recursive: true, ...(next && { paginationToken: next }) }),
      )
      next = page.paginationToken
      for (const object of page.objects) {
        if (object.isFile) yield { key: object.key, writtenAt: (await object.getMetaData()).lastModified }
      }
    } while (next)
  }
}

/** What the store answers to a read of a key that it does not have. */
class NoSuchFile extends Error {}

/** @throws AppError storage_refuses, storage_away, storage_full */
async function inTime<T>(call: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(LONGEST_MS, undefined, { signal: over.signal, ref: false }).then(() => {
    throw storageError('storage_away', `no answer within ${LONGEST_MS / 1000} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([call, late])
  } catch (error) {
    throw error instanceof AppError ? error : explained(error)
  } finally {
    over.abort()
  }
}

interface S3Error extends Error {
  $metadata?: { httpStatusCode?: number }
}

/** Errors of the client hold the whole answer, with the key's id in it: only its name and sentence go on. */
function explained(error: unknown): Error {
  if (!(error instanceof Error)) return storageError('storage_away', messageOf(error))
  const { name, message, $metadata }: S3Error = error
  const status = $metadata?.httpStatusCode ?? 0
  if (name === 'NoSuchKey') return new NoSuchFile()
  const reason = [name, message, status > 0 ? `(HTTP ${status})` : ''].filter(Boolean).join(' ')
  if (status === 507 || /QuotaExceeded|StorageFull/.test(name))
    return new AppError('storage_full', { cause: new Error(reason) })
  const refused =
    (status >= 300 && status < 500 && status !== 408 && status !== 429) || name === 'CredentialsProviderError'
  return storageError(refused ? 'storage_refuses' : 'storage_away', reason)
}
