import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { brandCss, firstCuts } from './brand-css.ts'
import { fontAddress, pageFiles } from './files.ts'
import frameSource from './frame.css?raw'
import { Frame, type PageProps } from './frame.tsx'
import { stylesheet } from './stylesheet.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** A page as it is sent. It is compressed at most once for each encoding, however often it is asked for. */
export class RenderedPage {
  /** RFC 9110 section 8.8.3; the suffix tells encodings apart. */
  readonly #tag: string
  readonly #bodies = new Map<Encoding, Buffer>()

  constructor(
    readonly html: string,
    readonly policy: string,
  ) {
    this.#tag = createHash('sha256').update(html).digest('base64url').slice(0, 16)
  }

  /** Compresses a long page in the background, so that nobody waits for it. */
  async prepare(): Promise<this> {
    if (this.html.length < LONG) return this
    const plain = Buffer.from(this.html)
    const [br, zipped] = await Promise.all([brotliInBackground(plain, brotli), gzipInBackground(plain, { level: 6 })])
    this.#bodies.set('br', br).set('gzip', zipped).set('identity', plain)
    return this
  }

  etag(encoding: Encoding): string {
    return `"${this.#tag}-${encoding}"`
  }

  body(encoding: Encoding): Buffer {
    const known = this.#bodies.get(encoding)
    if (known) return known
    const body = compressed(Buffer.from(this.html), encoding)
    this.#bodies.set(encoding, body)
    return body
  }
}

const LONG = 50_000
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const brotliInBackground = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const gzipInBackground = promisify<Buffer, ZlibOptions, Buffer>(gzip)

function compressed(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(body, { level: 6 })
  if (encoding === 'br') return brotliCompressSync(body, brotli)
  return body
}

/** Video players that a page may frame when it shows one of theirs. They load only when the reader opens them. */
const players = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com']
/** In markup, only an element of ours begins so: what people write is escaped. */
const playersIn = (markup: string): string[] => players.filter((player) => markup.includes(`<iframe src="${player}/`))

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A script of ours from its own file, and the threads that it begins. */
const ofScripts = ["script-src 'self'", "worker-src 'self'"]

/** What a page may load: no script unless it has one, its own style by hash, pictures and videos from https addresses. */
const policyFor = ({ sheet, markup, hasScript }: { sheet: string; markup: string; hasScript: boolean }): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "font-src 'self'",
    // For our own scripts, and for tools that examine a page and read `robots.txt` in its name.
    "connect-src 'self'",
    ...(playersIn(markup).length > 0 ? [`frame-src ${playersIn(markup).join(' ')}`] : []),
    `style-src ${sourceHash(sheet)}`,
    ...(hasScript ? ofScripts : []),
  ].join('; ')

const frameStyle = stylesheet(frameSource)

/** A whole public page. The style is inlined, so that markup and style arrive with the first packets. */
export function renderPage(props: PageProps, children?: ReactNode): RenderedPage {
  const sheet = pageFiles().fontRules + frameStyle + brandCss(props.style) + (props.css ?? '')
  const preload = firstCuts(props.style).flatMap((cut) => fontAddress(cut) ?? [])
  const markup = renderToStaticMarkup(createElement(Frame, { ...props, sheet, preload }, children ?? props.children))
  return new RenderedPage(`<!doctype html>${markup}`, policyFor({ sheet, markup, hasScript: Boolean(props.script) }))
}

export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer | null
}

export interface PageRequest {
  'accept-encoding'?: string | string[] | undefined
  'if-none-match'?: string | string[] | undefined
}

/** The answer in the encoding that the browser prefers; 304 when the browser has the page already. */
export function answerPage(page: RenderedPage, request: PageRequest, cacheControl = 'no-cache'): PageAnswer {
  const encoding = chooseEncoding(String(request['accept-encoding'] ?? ''))
  const etag = page.etag(encoding)
  const headers: Record<string, string> = {
    etag,
    'cache-control': cacheControl,
    'content-security-policy': page.policy,
    vary: 'accept-encoding, accept-language',
  }
  if (String(request['if-none-match'] ?? '').includes(etag)) return { status: 304, headers, body: null }
  headers['content-type'] = 'text/html; charset=utf-8'
  return { status: 200, headers: { ...headers, ...encodingHeader(encoding) }, body: page.body(encoding) }
}

/** A body that is sent once, in the encoding that the browser prefers (RFC 9110 section 12.5.3), and the header that says so. */
export function encoded(body: Buffer, accepted = ''): { body: Buffer; headers: Record<string, string> } {
  const encoding = chooseEncoding(accepted)
  return { body: compressed(body, encoding), headers: encodingHeader(encoding) }
}

const encodingHeader = (encoding: Encoding): Record<string, string> =>
  encoding === 'identity' ? {} : { 'content-encoding': encoding }

function chooseEncoding(accepted: string): Encoding {
  const allows = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`, 'i').test(accepted)
  return allows('br') ? 'br' : allows('gzip') ? 'gzip' : 'identity'
}
