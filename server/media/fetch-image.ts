import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { limitedFetchBytes, TooLarge } from '../net/fetch.ts'
import { portOf, webPorts } from '../net/web-ports.ts'
import { FETCH_MS, MAX_UPLOAD_BYTES } from './upload-limits.ts'

/**
 * Asks another server for a file, within the limits of an upload. Whether it is an image is for the decoder to say.
 *
 * Redirects are not followed, and a name and a password in the address are not passed on.
 * @throws AppError image_unreachable, file_too_large
 */
export async function fetchImage(config: Config, address: string): Promise<{ data: Buffer; name: string }> {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  const unreachable = (cause: unknown) => new AppError('image_unreachable', { cause, params: { host: url.host } })
  if (!config.privateServers && !webPorts.has(portOf(url))) throw unreachable(new Error('not a port of the web'))
  const limits = { timeoutMs: FETCH_MS, maxBytes: MAX_UPLOAD_BYTES, mayBePrivate: config.privateServers }
  // Some servers, such as Wikimedia's, answer nobody who does not say what they are.
  const headers = { accept: 'image/*', 'user-agent': 'Tirage' }
  const data = await limitedFetchBytes(url, { ...limits, headers }).catch((cause: unknown) => {
    if (cause instanceof TooLarge)
      throw new AppError('file_too_large', { params: { megabytes: MAX_UPLOAD_BYTES / 1024 ** 2 } })
    throw unreachable(cause)
  })
  return { data, name: nameIn(url) }
}

/** The last part of the path, without what cannot be decoded. */
function nameIn({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
