import { answerOf } from './fetch.ts'
import { NotPublic, type publicAddresses } from './public-address.ts'
import { portOf } from './web-ports.ts'

/** What became of an address that was tried. */
export interface Tried {
  /**
   * `fine`: somebody who follows it gets there. `guarded`: the server answers, but does not let programs in. `broken`: the server says
   * there is nothing, or that it failed. `no_host`: no public server has this name. `not_tried`: asking would have been too much.
   */
  answer: 'fine' | 'guarded' | 'broken' | 'timeout' | 'no_host' | 'unreachable' | 'certificate' | 'circle' | 'not_tried'
  /** Of the last answer; null without one. */
  status: number | null
  /** Where redirects led to; null without any. */
  to: string | null
  /** Of what is there, where the server says so. */
  bytes: number | null
}

export interface Trying {
  timeoutMs: number
  mayBePrivate: boolean
  /** The ports that are asked; null for any. */
  ports: ReadonlySet<number> | null
  /** Finds the public addresses of a host. @throws TooOften when they were asked too often */
  resolve: typeof publicAddresses
}

/** Its addresses were asked too often lately. */
export class TooOften extends Error {}

const MOST_REDIRECTS = 5
/** Answers to programs, when people may well get in: wrong method, no cookie, no browser. */
const guarded = new Set([401, 402, 403, 405, 406, 407, 418, 425, 429, 451, 501, 999])

/**
 * Tries whether an address leads anywhere: HEAD, and GET where HEAD is refused. No body is read. Redirects are followed one at a
 * time, and each of them is checked as the first address was, so that none leads into a private network.
 */
export async function tryAddress(address: string, trying: Trying): Promise<Tried> {
  const signal = AbortSignal.timeout(trying.timeoutMs)
  const tried: Tried = { answer: 'circle', status: null, to: null, bytes: null }
  let next = withoutLogin(address)
  if (!next) return { ...tried, answer: 'broken' }
  try {
    for (let hops = 0; next && hops <= MOST_REDIRECTS; hops++) {
      if (trying.ports && !trying.ports.has(portOf(next))) return { ...tried, answer: 'not_tried', status: null }
      const { status, location, bytes } = await askAgain(next, { ...trying, signal })
      const redirected: URL | null = status >= 300 && status < 400 && location ? URL.parse(location, next) : null
      if (!redirected) return { ...tried, status, bytes, answer: answerFor(status) }
      next = withoutLogin(redirected.href)
      tried.to = shown(redirected)
      tried.status = status
    }
    // To an app, or a mail: no program can say more.
    return next ? tried : { ...tried, answer: 'guarded' }
  } catch (error) {
    return { ...tried, status: null, answer: signal.aborted ? 'timeout' : failureOf(error) }
  }
}

function answerFor(status: number): Tried['answer'] {
  if (guarded.has(status)) return 'guarded'
  // A redirect that names no other address leads nowhere.
  return status < 300 || status === 304 ? 'fine' : 'broken'
}

/** An address on the web; null for any other. A name and a password in it are nobody's to pass on. */
function withoutLogin(address: string): URL | null {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

const SHOWN_LENGTH = 500
const shown = (url: URL): string => (withoutLogin(url.href) ?? url).href.slice(0, SHOWN_LENGTH)

/** Without it some servers, such as Wikimedia's, answer nobody. */
const headers = { accept: '*/*', 'user-agent': 'Tirage' }

type How = Trying & { signal: AbortSignal }

/** With GET where HEAD is refused: by an answer, or by a connection that is cut. */
async function askAgain(address: URL, how: How) {
  const head = await ask(address, 'HEAD', how).catch((error: unknown) => {
    if (how.signal.aborted || failureOf(error) !== 'unreachable') throw error
  })
  return head && head.status < 400 ? head : ask(address, 'GET', how)
}

async function ask(address: URL, method: 'HEAD' | 'GET', how: How) {
  const response = await answerOf(address, { method, headers: { ...headers, connection: 'close' }, ...how })
  const { statusCode: status = 0, headers: answered } = response
  response.destroy()
  const length = Number(answered['content-length'])
  return { status, location: answered.location, bytes: Number.isSafeInteger(length) && length > 0 ? length : null }
}

/** Of node, and of OpenSSL as node names its errors: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
const ofCertificates = /CERT|SSL|TLS|SIGNATURE/

function failureOf(error: unknown): Tried['answer'] {
  if (error instanceof TooOften) return 'not_tried'
  const code = String(Object(error).code ?? '')
  if (error instanceof NotPublic || code === 'ENOTFOUND' || code === 'ENODATA') return 'no_host'
  return ofCertificates.test(code) ? 'certificate' : 'unreachable'
}
