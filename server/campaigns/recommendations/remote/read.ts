import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { limitedFetch } from '../../../net/fetch.ts'
import {
  documentAddress,
  MEDIA_TYPE,
  type ProvenDocument,
  type RemoteAddress,
  readDocument,
  readRemoteAddress,
} from './document.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 16 * 1024

type Deps = Pick<Context, 'config' | 'now'>

/**
 * Asks another server for the document of a newsletter, and proves it. Redirects are not followed.
 * @throws AppError remote_unreachable when no document comes within the limits; remote_invalid, remote_ahead, remote_over for one that does not count
 */
export async function readRemote({ config, now }: Deps, asked: RemoteAddress): Promise<ProvenDocument> {
  const url = new URL(documentAddress(asked))
  const mayBePrivate = config.privateServers
  // Without TLS anybody on the way could answer for a server.
  if (url.protocol !== 'https:' && !mayBePrivate) throw new AppError('remote_unreachable')
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, mediaType: MEDIA_TYPE, mayBePrivate }
  const text = await limitedFetch(url, { ...limits, headers: { accept: MEDIA_TYPE } }).catch((cause: unknown) => {
    throw new AppError('remote_unreachable', { cause })
  })
  const document = readDocument(text, { asked, now: now() })
  if (typeof document === 'string') throw new AppError(document)
  return document
}

/** The newsletter of another server that an owner's text names. @throws AppError remote_invalid, remote_here */
export function addressOfRemote({ config }: Pick<Deps, 'config'>, text: string): RemoteAddress {
  const asked = readRemoteAddress(text)
  if (!asked) throw new AppError('remote_invalid')
  if (asked.base === config.publicUrl) throw new AppError('remote_here')
  return asked
}
