import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Language } from '../languages.ts'
import { type Translate, translator } from '../translator.ts'
import { isOpen, schemaOf } from './api-schema.ts'
import type { Access, Endpoint } from './endpoint.ts'
import type { AuditLine, Caller, CallerSession, Scope, User } from './scope.ts'

interface Base<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  language: Language
  t: Translate
  request: FastifyRequest
  reply: FastifyReply
}

/** What a handler gets. It depends on who may call: a call of a member has the newsletter that was checked. */
type Call<E extends Endpoint> = Base<E> &
  (E['access'] extends 'public'
    ? { caller: Caller | null }
    : E['access'] extends 'user'
      ? { user: User; session: CallerSession }
      : Scope & {
          newsletterId: string
          userId: string | null
          /** The line that this call leaves in the audit, where its endpoint says that it leaves one. */
          auditLine: AuditLine | null
        })

export interface Route {
  method: string
  path: string
  access: Access | 'page'
  register(app: FastifyInstance): void
}

/** Joins an endpoint with its handler. The handler returns the reply, or `undefined` when it has replied itself. */
export function on<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<z.input<E['reply']> | undefined> | z.input<E['reply']> | undefined,
): Route {
  const { method, path, access } = endpoint
  if (path.startsWith('/api/newsletters/:newsletterId') && isOpen(access)) {
    throw new Error(`${method} ${path} lies in a newsletter and must name a permission`)
  }
  return {
    method,
    path,
    access,
    register(app) {
      app.route({
        method,
        url: path,
        config: { endpoint },
        schema: schemaOf(endpoint),
        handler: async (request, reply) => {
          const value = await handler(callOf(endpoint, request, reply))
          // A reply that is still on its way through the hooks does not count as sent yet, and must not be sent again.
          return value === undefined ? reply : value
        },
      })
    },
  }
}

function callOf<E extends Endpoint>(_endpoint: E, request: FastifyRequest, reply: FastifyReply): Call<E> {
  const { language, caller, scope } = request
  const { params, query, body } = request
  const call = {
    params,
    query,
    body,
    language,
    t: translator(language),
    request,
    reply,
    caller,
    user: caller?.user,
    session: caller?.session,
  }
  const member = scope && {
    ...scope,
    newsletterId: scope.newsletter.id,
    userId: caller?.user?.id ?? null,
    auditLine: request.auditLine,
  }
  // The guard has refused every call without the access that the endpoint needs, so all parts of the type exist.
  return { ...call, ...member } as unknown as Call<E>
}

type ParamName<Segment extends string> = Segment extends `${infer Name}.${string}` ? Name : Segment

/** The parameters of a path: those of `/n/:newsletter/:slug` are `newsletter` and `slug`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Segment}/${infer Tail}`
    ? Record<ParamName<Segment>, string> & ParamsOf<`/${Tail}`>
    : Record<ParamName<Rest>, string>
  : unknown

interface PageShape<Path extends string> {
  Params: ParamsOf<Path>
  Querystring: Record<string, unknown>
}

/** A request for a public page or file, with the parameters of its path. */
export type PageRequest<Path extends string = string> = FastifyRequest<PageShape<Path>>

/** A public page or file outside `/api`, such as `page('GET /r/:shortLinkId', …)`. Its handler writes the reply. */
export function page<M extends 'GET' | 'POST', Path extends string>(
  route: `${M} ${Path}`,
  handler: (request: PageRequest<NoInfer<Path>>, reply: FastifyReply) => unknown,
  options: { bodyLimit?: number } = {},
): Route {
  const [method = '', path = ''] = route.split(' ')
  return {
    method,
    path,
    access: 'page',
    register: (app) => app.route<PageShape<Path>>({ method, url: path, handler, schema: { hide: true }, ...options }),
  }
}
