import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import { type Auth, OIDC } from './auth.ts'
import { deleteMe, getMe, listProviders, updateProfile } from './contract.ts'
import { changeProfile, deleteAccount, findProfile, presentUser } from './profile.ts'

export function identityRoutes(context: Context, auth: Auth): Route[] {
  const { db, config } = context
  const providers = [
    ...(config.google ? [{ id: 'google', name: 'Google' }] : []),
    ...(config.github ? [{ id: 'github', name: 'GitHub' }] : []),
    ...(config.oidc ? [{ id: OIDC, name: config.oidc.name }] : []),
  ]
  return [
    authRoute(auth),
    on(listProviders, () => ({ providers, magicLink: true, mailIsCaught: config.smtpUrl === null })),
    on(getMe, async ({ caller, reply }) => {
      reply.header('cache-control', 'no-store')
      if (!caller?.user) return { user: null, profile: null }
      return { user: presentUser(caller.user), profile: await findProfile(db, caller.user.id) }
    }),
    on(updateProfile, ({ user, body }) => changeProfile(db, user.id, body)),
    on(deleteMe, async ({ user, reply }) => {
      await deleteAccount(db, user.id)
      reply.header('clear-site-data', '"cookies"')
      return { done: true as const }
    }),
  ]
}

/** Signing in and out is better-auth's own API; it has its own guards against other sites and against guessing. */
function authRoute(auth: Auth): Route {
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
          const type = request.headers['content-type']
          if (type && !type.startsWith('application/json')) throw new AppError('unsupported_media_type')
          return pass(await auth.answer(request), reply)
        },
      }),
  }
}

/** Each cookie stays a header of its own: joined by commas they could not be told apart. */
async function pass(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.serializer((text: string) => text).send(await response.text())
}
