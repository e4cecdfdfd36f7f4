import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { FolderStorage } from './folder-storage.ts'
import type { Storage } from './storage.ts'

/**
 * The place of files: STORAGE_URL, or a folder below DATA_DIR.
 *
 * `file:///folder`, or `s3://bucket/prefix?region=eu-west-3`, with `endpoint=https://…` for a store that is not Amazon's
 * and `user:secret@` before the bucket unless the environment has credentials.
 *
 * @throws StartError for a kind of store that is not built in
 */
export async function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Promise<Storage> {
  if (!storageUrl) return new FolderStorage(join(dataDir, 'media'))
  const url = new URL(storageUrl)
  if (url.protocol === 'file:') return new FolderStorage(fileURLToPath(url))
  // Loaded only when it is used, because it is large.
  if (url.protocol === 's3:') return new (await import('./bucket-storage.ts')).BucketStorage(url)
  throw new StartError(`STORAGE_URL begins with ${url.protocol}// but only file:// and s3:// are built in.`)
}

/** The prefix of all keys, from STORAGE_URL; often empty. */
export function keyPrefix({ storageUrl }: Pick<Config, 'storageUrl'>): string {
  const path = storageUrl?.startsWith('s3:') ? new URL(storageUrl).pathname.replaceAll(/^\/+|\/+$/g, '') : ''
  return path ? `${path}/` : ''
}
