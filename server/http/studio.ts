import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { projectRoot } from '../root.ts'

const folder = join(projectRoot, 'dist', 'studio')

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine positions its parts by style attributes and sets its theme by a style element, which carries the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The screens of the owner app; each is the same page, which finds its way in the browser. */
const screens = [
  '/dashboard',
  '/publish',
  '/subscribers',
  '/advertise',
  '/charge',
  '/settings',
  '/outbox',
  '/profile',
  '/signup',
  '/login',
  '/forgot',
  '/reset',
  '/arrived',
  '/verified',
  '/invitation',
  '/welcome',
]

/** Serves the built owner app. */
export async function serveStudio(app: FastifyInstance): Promise<void> {
  if (!existsSync(folder)) return
  const shell = await readFile(join(folder, 'index.html'), 'utf8')
  const mark = shell.match(/href="(\/static\/[^"]+\.svg)"/)?.[1]
  await app.register(serveStatic, {
    root: join(folder, 'static'),
    prefix: '/static/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    index: false,
  })
  const show = (_request: unknown, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(shell.replaceAll('__STYLE_NONCE__', nonce))
  }
  app.get('/', (request, reply) => {
    const search = request.url.indexOf('?')
    return reply.redirect(`/dashboard${search < 0 ? '' : request.url.slice(search)}`)
  })
  // Browsers ask for it on public pages too, which name no icon to stay light.
  if (mark) app.get('/favicon.ico', (_request, reply) => reply.header('cache-control', 'max-age=86400').redirect(mark))
  for (const screen of screens) {
    app.get(screen, show)
    app.get(`${screen}/*`, show)
  }
  app.get('/*', (request, reply) => (isOpened(request) ? show(request, reply.code(404)) : reply.callNotFound()))
}

/** An unknown address that a person opened gets words and a way back; a program gets the error of the API. */
const isOpened = ({ url, headers }: FastifyRequest) =>
  !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
