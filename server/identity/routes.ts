import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import { refuseCrossSite } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import type { Auth, LinkResult } from './auth.ts'
import { confirmAddress, deleteMe, getMe, listProviders, signInByLink, updateProfile } from './contract.ts'
import { screenFor } from './mailed-link.ts'
import { changeProfile, deleteAccount, findProfile, presentUser } from './profile.ts'
import { refuseForeignReturn } from './return-address.ts'
import { OIDC } from './sign-in-methods.ts'

export function identityRoutes(context: WithRelays, auth: Auth): Route[] {
  const { db, config } = context
  const providers = [
    ...(config.google ? [{ id: 'google', name: 'Google' }] : []),
    ...(config.github ? [{ id: 'github', name: 'GitHub' }] : []),
    ...(config.oidc ? [{ id: OIDC, name: config.oidc.name }] : []),
  ]
  return [
    authRoute(auth, config),
    on(listProviders, async () => ({ providers, magicLink: true, mailIsCaught: await context.relays.caught(null) })),
    on(getMe, async ({ caller, reply }) => {
      reply.header('cache-control', 'no-store')
      if (!caller?.user) return { user: null, profile: null }
      return { user: presentUser(caller.user), profile: await findProfile(db, caller.user.id) }
    }),
    on(signInByLink, async ({ body, request, reply }) => {
      const { outcome, passwordRemoved } = await confirmed(config, { request, reply }, () =>
        auth.useLink(request, body.token),
      )
      return { event: outcome, passwordRemoved }
    }),
    on(confirmAddress, async ({ body, request, reply }) => {
      await confirmed(config, { request, reply }, () => auth.confirmAddress(request, body.token))
      return { done: true as const }
    }),
    on(updateProfile, ({ user, body }) => changeProfile(db, user.id, body)),
    on(deleteMe, async ({ user, reply }) => {
      await deleteAccount(db, user.id)
      reply.header('clear-site-data', '"cookies"')
      return { done: true as const }
    }),
  ]
}

/** Uses the token of a mailed link. @throws AppError cross_site, link_used, too_many_requests */
async function confirmed(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  spendToken: () => Promise<LinkResult>,
): Promise<LinkResult & { outcome: 'login' | 'sign_up' }> {
  // Another site must not sign its visitors in to an account of its own.
  refuseCrossSite(request, publicUrl)
  const { outcome, response, ...rest } = await spendToken()
  const wait = Number(response.headers.get('x-retry-after')) || 60
  if (response.status === 429) throw new AppError('too_many_requests', { params: { seconds: wait } })
  if (outcome === null) throw new AppError('link_used')
  reply.header('cache-control', 'no-store').header('set-cookie', response.headers.getSetCookie())
  return { outcome, response, ...rest }
}

/** Signing in and out is better-auth's own API. The library itself refuses other sites and limits guessing. */
function authRoute(auth: Auth, config: Config): Route {
  return {
    method: 'GET, POST',
    path: '/api/auth/*',
    access: 'public',
    register: (app) =>
      app.route({
        method: ['GET', 'POST'],
        url: '/api/auth/*',
        schema: { hide: true },
        handler: async (request, reply) => {
          const screen = request.method === 'GET' ? screenFor(config, request.url) : null
          if (screen) return reply.header('cache-control', 'no-store').redirect(screen, 302)
          const type = request.headers['content-type']
          if (type && !type.startsWith('application/json')) throw new AppError('unsupported_media_type')
          refuseCrossSite(request, config.publicUrl)
          refuseForeignReturn(request)
          return pass(await auth.answer(request), reply)
        },
      }),
  }
}

/** Each cookie stays a header of its own. Cookies that are joined by commas cannot be separated again. */
async function pass(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.serializer((text: string) => text).send(await response.text())
}
