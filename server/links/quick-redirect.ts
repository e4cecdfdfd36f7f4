import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import proxyAddr from '@fastify/proxy-addr'
import type { Context } from '../context.ts'
import { headersOfAll } from '../http/security.ts'
import type { Link, LinkRequest } from './click.ts'
import type { Clicks } from './clicks.ts'
import type { LinkCache } from './link-cache.ts'
import { redirectHeaders, targetOf } from './redirect.ts'

/** `/r/{id}` as our own mails write it, with or without what says whose the mail was. */
const ADDRESS = /^\/r\/([\w-]{1,60})(?:\?([^#]*))?$/

interface QuickRedirectsOptions extends Pick<Context, 'config' | 'now'> {
  links: LinkCache
  clicks: Clicks
  /** Whether an address is that of a proxy, by its place: ours is 0. */
  trust: (address: string, hop: number) => boolean
  /** Told of each answer, with its seconds; null when nobody reads figures. */
  measured: ((seconds: number) => void) | null
}

interface Asked {
  request: IncomingMessage
  response: ServerResponse
  query: string | undefined
  others: () => void
}

/**
 * Answers what most requests are in the minutes after a sending: links that lead where they say. Nothing of the web framework
 * runs for them, which is two thirds of what a redirect costs. Every other request takes the usual way (`routes.ts`), and both ways give the
 * same answer.
 */
export class QuickRedirects {
  readonly #headers: string[]
  #stopped = false

  constructor(private readonly options: QuickRedirectsOptions) {
    const headers = { ...headersOfAll(options.config), ...redirectHeaders, 'content-length': '0' }
    this.#headers = Object.entries(headers).flat()
  }

  /** Answers a request when its click is on disk. Whatever is none of these, or goes wrong, is left to `others`: nothing was written by then. */
  before(others: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = '', query] = (request.method === 'GET' && ADDRESS.exec(request.url ?? '')) || []
      if (id === '' || this.#stopped) return others(request, response)
      const { links } = this.options
      const asked = { request, response, query, others: () => others(request, response) }
      const link = links.known(id)
      if (link) this.#answer(link, asked)
      else links.find(id).then((found) => this.#answer(found, asked), asked.others)
    }
  }

  /** From then on the framework answers, which says that the program ends. */
  stop(): void {
    this.#stopped = true
  }

  /** Makes no promise but that of its click: each is a part of what a redirect costs. */
  #answer(link: Link | null, { request, response, query, others }: Asked): void {
    if (!link || link.disabledAt || link.expiresAt) {
      others()
      return
    }
    const { clicks, config, now, measured } = this.options
    const begun = measured ? performance.now() : 0
    // Whatever goes wrong must not end the program.
    try {
      const visit = new Visit(request, query, this.options.trust)
      const headers = [...this.#headers, 'location', targetOf(link, visit.query, config)]
      const answer = () => {
        try {
          response.writeHead(302, headers).end()
          measured?.((performance.now() - begun) / 1_000)
        } catch {
          others()
        }
      }
      const stored = clicks.add(link, visit, now())
      if (stored) stored.then(answer, others)
      else answer()
    } catch {
      others()
    }
  }
}

const noQuery: LinkRequest['query'] = {}

/** A class, so that the address is worked out only when a rule asks for it, and no closure is made for each request. */
class Visit implements LinkRequest {
  readonly method = 'GET'
  readonly query: LinkRequest['query']

  constructor(
    private readonly request: IncomingMessage,
    query: string | undefined,
    private readonly trust: QuickRedirectsOptions['trust'],
  ) {
    this.query = query === undefined ? noQuery : parse(query)
  }

  get headers(): IncomingMessage['headers'] {
    return this.request.headers
  }

  get ip(): string {
    return proxyAddr(this.request, this.trust)
  }
}
