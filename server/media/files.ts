import type { Config } from '../config.ts'
import { type MediaWidth, mediaWidths } from './address.ts'
import type { ShownType } from './image.ts'
import { keyPrefix } from './open-storage.ts'

type Instance = Pick<Config, 'storageUrl'>

const extension = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' } as const

/** The key of an image's file. Those of one newsletter are in a folder. */
export const keyOf = (
  instance: Instance,
  { newsletterId, id, mime }: { newsletterId: string; id: string; mime: ShownType },
) => `${folderOf(instance, newsletterId)}${id}.${extension[mime]}`

export const folderOf = (instance: Instance, newsletterId: string): string => `${keyPrefix(instance)}${newsletterId}/`

/** The key of a narrower one. */
export const narrowKey = (key: string, width: MediaWidth): string => key.replace(/(\.\w+)$/, `-${width}$1`)

/** The key of one for pages. */
export const pageKey = (key: string, width: MediaWidth): string => key.replace(/\.\w+$/, `-${width}.webp`)

/** Every file that an image may have. */
export const filesOf = (key: string): string[] => [
  key,
  ...mediaWidths.flatMap((width) => [narrowKey(key, width), pageKey(key, width)]),
]

/** Of `prefix/newsletter/image-600.jpg`, or of such a file before it was whole. */
const shape =
  /^([\w-]{1,40})\/(?:(\w{1,20})(?:-\d+)?\.(?:jpg|png|gif|webp)|\.[\w-]+\.(?:jpg|png|gif|webp)\.[0-9a-f]{8}\.part)$/

export interface FileName {
  newsletterId: string
  /** Null for a file that was never whole. */
  mediaId: string | null
}

/** Whose file it is by its key, or null for a file that we did not write. */
export function fileNameIn(instance: Instance, key: string): FileName | null {
  const prefix = keyPrefix(instance)
  const [, newsletterId, mediaId = null] = key.startsWith(prefix) ? (key.slice(prefix.length).match(shape) ?? []) : []
  return newsletterId === undefined ? null : { newsletterId, mediaId }
}
