import type { Config } from '../config.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { hindranceOf } from '../http/probes.ts'
import type { Probe } from '../http/readiness.ts'
import { shortageIn } from '../shortage.ts'
import { keyOf } from './files.ts'
import { openStorage } from './open-storage.ts'
import { type Storage, storageError } from './storage.ts'

/** What is written to a bucket is paid for by the call. */
const BUCKET_HOLDS_MS = 30_000
const FOLDER_HOLDS_MS = 2_000

/**
 * Writes a small file, reads it and removes it. The daily job takes one that a killed process has left.
 * @throws AppError storage_refuses, storage_away; errors of a full disk
 */
export async function tryStorage(storage: Storage, config: Pick<Config, 'storageUrl'>): Promise<void> {
  const key = keyOf(config, { newsletterId: 'probe', id: publicId(), mime: 'image/png' })
  const content = Buffer.from(key)
  await storage.write(key, content)
  const read = await storage.read(key).finally(() => storage.remove(key))
  if (!read?.equals(content)) throw storageError('storage_refuses', 'what was written was not read again')
}

/** Whether uploads can be kept. */
export function storageProbe(config: Config): Probe {
  let storage: Promise<Storage> | null = null
  return {
    holdsMs: config.storageUrl?.startsWith('s3:') ? BUCKET_HOLDS_MS : FOLDER_HOLDS_MS,
    late: 'storage_away',
    async try() {
      try {
        storage ??= openStorage(config)
        await tryStorage(await storage, config)
        return null
      } catch (error) {
        const shortage = shortageIn(error)
        if (shortage) return hindranceOf(shortage)
        const code = error instanceof AppError ? error.code : null
        return code === 'storage_full' || code === 'storage_refuses' ? code : 'storage_away'
      }
    },
  }
}
