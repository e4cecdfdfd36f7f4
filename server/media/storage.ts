import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'

/**
 * The place of files: STORAGE_URL, or a folder below DATA_DIR.
 *
 * `file:///folder`, or `s3://bucket/prefix?region=eu-west-3`, with `endpoint=https://…` for a store that is not Amazon's
 * and `user:secret@` before the bucket unless the environment has credentials.
 *
 * @throws StartError for a kind of store that is not built in
 */
export async function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Promise<Disk> {
  if (!storageUrl) return folder(join(dataDir, 'media'))
  const url = new URL(storageUrl)
  if (url.protocol === 'file:') return folder(fileURLToPath(url))
  if (url.protocol === 's3:') return bucket(url)
  throw new StartError(`STORAGE_URL begins with ${url.protocol}// but only file:// and s3:// are built in.`)
}

const folder = (location: string) => new Disk(new FSDriver({ location, visibility: 'private' }))

async function bucket(url: URL): Promise<Disk> {
  // Loaded only when it is used, because it is large.
  const { S3Driver } = await import('flydrive/drivers/s3')
  const endpoint = url.searchParams.get('endpoint')
  const credentials = url.username && {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
  return new Disk(
    new S3Driver({
      bucket: url.hostname,
      region: url.searchParams.get('region') ?? 'us-east-1',
      visibility: 'private',
      supportsACL: false,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
    }),
  )
}

/** The prefix of all keys, from STORAGE_URL; often empty. */
export function keyPrefix({ storageUrl }: Pick<Config, 'storageUrl'>): string {
  const path = storageUrl?.startsWith('s3:') ? new URL(storageUrl).pathname.replaceAll(/^\/+|\/+$/g, '') : ''
  return path ? `${path}/` : ''
}
