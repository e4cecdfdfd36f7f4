import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Newsletter } from '../database/types.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { acceptedLanguage, defaultLanguage, type Language } from '../languages.ts'
import { covers, may, type Permission, type Role, type RoleTable } from '../permissions.ts'
import type { Cost } from './costs.ts'
import type { Access, Audited, Endpoint, Made } from './endpoint.ts'
import { requireFreshProof } from './fresh-proof.ts'
import { textFields } from './text-fields.ts'

export type NewsletterRow = Selectable<Newsletter>

export interface User {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  isAnonymous: boolean
}

/** A key allows what both its own role and its maker's present role allow. */
interface ApiKeyCaller {
  id: string
  newsletterId: string
  role: Role
  makerRole: Role
}

/** What is known of the session by which a user calls. */
export interface CallerSession {
  id: string
  /** When its user last proved who they are. */
  provenAt: Date
}

/** Who calls: a user by session cookie, or a newsletter's API key. */
export type Caller =
  | { user: User; key: null; session: CallerSession }
  | { user: null; key: ApiKeyCaller; session: null }

export interface Membership {
  newsletter: NewsletterRow
  role: Role
}

/** The newsletter of a member's or API key's call, and what their role allows. */
export interface Scope extends Membership {
  may(permission: Permission): boolean
  /** Whether the role contains everything that the other role may do. */
  mayGrant(role: Role): boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    language: Language
    caller: Caller | null
    scope: Scope | null
    auditLine: AuditLine | null
    /** Whether the caller would still be admitted now. For answers that go on for hours. */
    mayStay: () => Promise<boolean>
  }
  interface FastifyInstance {
    /** All registered endpoints. */
    apiRoutes: Pick<Endpoint, 'method' | 'path' | 'access' | 'audit' | 'cost' | 'query'>[]
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** Who makes something, in which newsletter when it is in one, and from where. */
export interface Maker {
  user: User | null
  newsletterId: string | null
  ip: string
}

export interface Guards {
  /** The site's own origin, such as `https://news.example`. */
  origin: string
  /** With `reply`, the caller's session may be renewed. */
  findCaller(request: FastifyRequest, reply: FastifyReply | null): Promise<Caller | null>
  /** What each role may do. */
  roles: RoleTable
  /** The newsletter by id, and the user's role in it, or null when either is missing. */
  findMembership(newsletterId: string, userId: string): Promise<Membership | null>
  findNewsletter(newsletterId: string): Promise<NewsletterRow | null>
  audit: AuditTrail
  /** @throws AppError too_many_requests */
  charge(cost: Cost, caller: Caller | null, ip: string): Promise<void>
  /** Counts what a call makes for its network. @throws AppError too_many_from_network */
  countMade(made: Made, by: Maker): Promise<void>
  now(): Date
  /** Called after every write and before its answer is sent, so that the caller sees the change at once. */
  written(newsletterId: string): void
}

/** Who did something, in which newsletter, and from where. */
export interface Doer {
  newsletterId: string
  caller: Caller
  request: FastifyRequest
}

/** A line of the audit whose act is not over. */
export interface AuditLine {
  /** Adds what was not known before, such as the name of what was removed. */
  note(detail: Record<string, unknown>): void
  /** Leaves out what was given and changed nothing. Nothing is left: the line goes. */
  forget(names: readonly string[]): Promise<void>
  /** Takes the line away: nothing was changed, or the same had been done by another call at the same moment. */
  drop(): Promise<void>
  complete(status: number): Promise<void>
}

/** Keeps who did what. A line is written before the act and completed after it, so that nothing happens without one. */
export interface AuditTrail {
  begin(doer: Doer, audited: Audited): Promise<AuditLine>
  /** A member asked for what their role does not allow. */
  refused(doer: Doer): Promise<void>
  /** Somebody asked for a newsletter that is not theirs or does not exist. Its owners are not told: anybody could fill their audit. */
  strange(doer: Doer): void
}

/** Answers that ask whether somebody knows what is built on something, or where something goes. Nothing was done or refused yet, so the audit has no line. */
const asksFirst: ReadonlySet<string> = new Set(['in_use', 'media_in_use', 'plan_held'] satisfies ErrorCode[])

/**
 * The one hook before every call of the API. It finds the caller and refuses writes that another site caused. It loads the
 * newsletter of the path with the caller's role. A newsletter of others gets the same answer as one that does not exist.
 */
export function guardApi(api: FastifyInstance, guards: Guards): void {
  api.decorateRequest('caller', null)
  api.decorateRequest('scope', null)
  api.decorateRequest('auditLine', null)
  api.addHook('onRoute', ({ config, method }) => {
    if (config?.endpoint && method === config.endpoint.method) api.apiRoutes.push(config.endpoint)
  })
  api.decorateRequest('mayStay')
  api.addHook('onRequest', async (request, reply) => {
    const endpoint = request.routeOptions.config.endpoint
    if (!endpoint) return
    // Answers depend on the caller, so no cache on the way may keep them.
    reply.header('cache-control', 'no-store')
    request.caller = await guards.findCaller(request, reply)
    if (!request.caller?.key) refuseCrossSite(request, guards.origin)
    request.scope = await admit(guards, endpoint.access, { request, caller: request.caller }).catch(async (refusal) => {
      await noteRefusal(guards, { request, caller: request.caller }, refusal)
      throw refusal
    })
    if (endpoint.cost) await guards.charge(endpoint.cost, request.caller, request.ip)
    if (endpoint.freshProof && request.caller) requireFreshProof(request.caller, guards.now())
    request.mayStay = () => wouldAdmit(guards, endpoint.access, request)
  })
  // After the parts of the call were found to be valid.
  api.addHook('preHandler', async (request) => {
    const { endpoint } = request.routeOptions.config
    const { caller, scope } = request
    const newsletterId = scope?.newsletter.id ?? null
    if (endpoint?.makes)
      await guards.countMade(endpoint.makes, { user: caller?.user ?? null, newsletterId, ip: request.ip })
    if (!endpoint?.audit || !scope || !caller) return
    request.auditLine = await guards.audit.begin({ newsletterId: scope.newsletter.id, caller, request }, endpoint.audit)
  })
  api.addHook('onError', async ({ auditLine }, _reply, error) => {
    if (error instanceof AppError && asksFirst.has(error.code)) await auditLine?.drop()
  })
  api.addHook('onSend', async ({ scope, method, auditLine }, { statusCode }) => {
    if (scope && method !== 'GET') guards.written(scope.newsletter.id)
    await auditLine?.complete(statusCode)
  })
}

/** The API key that a request carries, or null. */
export function bearerOf({ headers: { authorization } }: FastifyRequest): string | null {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() : null
}

interface Attempt {
  request: FastifyRequest
  caller: Caller | null
}

/** The scope of a member's call, or null for calls outside newsletters. @throws AppError when the call is refused */
async function admit(guards: Guards, access: Access, { request, caller }: Attempt): Promise<Scope | null> {
  if (access === 'public') return null
  // One code for a key that never was and for one that ended, so that a guess learns nothing.
  if (!caller) throw new AppError(bearerOf(request) === null ? 'unauthenticated' : 'key_unknown')
  if (access === 'user') {
    if (!caller.user) throw new AppError('key_elsewhere')
    return null
  }
  const { newsletterId = '' } = textFields(request.params)
  const membership = await findMembership(guards, newsletterId, caller)
  if (!membership) throw new AppError('newsletter_not_found')
  const scope = scopeOf(membership, caller.key, guards.roles)
  if (!scope.may(access)) throw new AppError('forbidden')
  return scope
}

async function noteRefusal(guards: Guards, { request, caller }: Attempt, refusal: unknown): Promise<void> {
  const { newsletterId } = textFields(request.params)
  if (!caller || !newsletterId || !(refusal instanceof AppError)) return
  if (refusal.code === 'forbidden') await guards.audit.refused({ newsletterId, caller, request })
  if (refusal.code === 'newsletter_not_found') guards.audit.strange({ newsletterId, caller, request })
}

function scopeOf({ newsletter, role }: Membership, key: ApiKeyCaller | null, roles: RoleTable): Scope {
  const limits = key ? [key.role, key.makerRole] : [role]
  return {
    newsletter,
    role,
    may: (permission) => limits.every((each) => may(each, permission, roles)),
    mayGrant: (other) => limits.every((each) => covers(each, other, roles)),
  }
}

/** Also true while the database is away, so that this ends no stream. */
async function wouldAdmit(guards: Guards, access: Access, request: FastifyRequest): Promise<boolean> {
  try {
    await admit(guards, access, { request, caller: await guards.findCaller(request, null) })
    return true
  } catch (refusal) {
    return !(refusal instanceof AppError)
  }
}

async function findMembership(guards: Guards, newsletterId: string, caller: Caller): Promise<Membership | null> {
  if (caller.user) return guards.findMembership(newsletterId, caller.user.id)
  if (caller.key.newsletterId !== newsletterId) return null
  const { role, makerRole } = caller.key
  const newsletter = await guards.findNewsletter(newsletterId)
  return newsletter && { newsletter, role: covers(makerRole, role, guards.roles) ? role : makerRole }
}

/**
 * Browsers send cookies with requests that other sites cause, and keep the cookies of the answers. Such a request must
 * change nothing and sign nobody in. @throws AppError cross_site
 */
export function refuseCrossSite(request: FastifyRequest, origin: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const from = request.headers.origin
  const site = request.headers['sec-fetch-site']
  const ours = from === undefined ? site === undefined || site === 'same-origin' || site === 'none' : isOurs(from)
  if (!ours) throw new AppError('cross_site')

  function isOurs(address: string): boolean {
    return (
      address === new URL(origin).origin || (URL.canParse(address) && new URL(address).host === request.headers.host)
    )
  }
}

/** Sets the language of every request from Accept-Language. */
export function followLanguage(app: FastifyInstance): void {
  app.decorateRequest('language', defaultLanguage)
  app.addHook('onRequest', (request, _reply, done) => {
    request.language = acceptedLanguage(request.headers['accept-language'], defaultLanguage)
    done()
  })
}
