import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { parameters, tags } from './api-words.ts'
import { cookiePrefix } from './cookie-prefix.ts'

/** OpenAPI 3.1, made from the contracts, and its reference at /api/docs. */
export async function documentApi(api: FastifyInstance, config: Config): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tirage',
        version: '1',
        description: 'The API that the owner app itself uses. Sign in, or send `Authorization: Bearer` and an API key.',
        contact: { name: 'The operator of this server', url: config.publicUrl },
        license: { name: 'AGPL-3.0-or-later', url: 'https://www.gnu.org/licenses/agpl-3.0.html' },
      },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key of one newsletter' },
          session: { type: 'apiKey', in: 'cookie', name: `${cookiePrefix(config)}.session_token` },
        },
      },
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(document)
      for (const part of [schema.params, schema.querystring]) addWords(part as Parameters<typeof addWords>[0])
      return { schema, url }
    },
    transformObject: (document) => {
      const whole = jsonSchemaTransformObject(document)
      // What nobody sends.
      if ('components' in whole) delete whole.components?.schemas?.ErrorInput
      return whole
    },
  })
  api.get('/api/openapi.json', { schema: { hide: true } }, () => api.swagger())
  let opened: Promise<FastifyInstance> | undefined
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    opened ??= openReference()
    const found = await (await opened).inject({ method: 'GET', url: request.url })
    const nonce = randomBytes(16).toString('base64url')
    reply.code(found.statusCode)
    for (const name of ['content-type', 'location']) if (found.headers[name]) reply.header(name, found.headers[name])
    if (!String(found.headers['content-type']).startsWith('text/html')) return reply.send(found.rawPayload)
    return reply
      .header('content-security-policy', referencePolicy(nonce))
      .send(found.payload.replaceAll(noncePlace, nonce).replace(/<html(?=>)/, '<html lang="en"'))
  }
  for (const path of [reference, `${reference}/*`]) api.get(path, { schema: { hide: true } }, answer)
}

/** Adds what each parameter means, by its name. */
function addWords(part: { properties?: Record<string, { description?: string | undefined }> } | undefined): void {
  for (const [name, schema] of Object.entries(part?.properties ?? {})) schema.description ??= parameters[name]
}

/** The reference is 4 MB of script and 25 MB of memory, so it is loaded when somebody opens it. */
async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, {
    routePrefix: reference,
    configuration: {
      url: '/api/openapi.json',
      pageTitle: 'Tirage API',
      nonce: noncePlace,
      withDefaultFonts: false,
      telemetry: false,
      // The online services of its makers are off. The reference works without them and sends nothing to anybody.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
    },
  })
  return app
}

const reference = '/api/docs'
const noncePlace = 'nonce-of-this-answer'

/**
 * Of the style elements that the reference writes without the nonce, as it comes: the first three have one text each, and the empty one
 * is filled by rules. Another version may write others; a browser test says so.
 */
const itsStyles = [
  'DLlkYCuDYGe6ME23YkUFB7Tc36rGDeo4mVBFbZX3uaU=',
  'rO+6k1mDRASa9Q8IQu9I3bF+bjRdxDreAZCyGSaxzeI=',
  'ZW1GSuo0pKyEx5Ar7ZC5Dflb/mjatjeTW9aVx0iZAzE=',
  '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
].map((hash) => `'sha256-${hash}'`)

/** The reference writes its own style elements and attributes. Scripts are ours or carry the nonce. */
const referencePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}' ${itsStyles.join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
