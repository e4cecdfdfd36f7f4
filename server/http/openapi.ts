import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'

/** OpenAPI 3.1, made from the contracts, and its reference at /api/docs. */
export async function documentApi(api: FastifyInstance, config: Config): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tirage',
        version: '1',
        description: 'The API that the owner app itself uses. Sign in, or send `Authorization: Bearer` and an API key.',
        license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key of one newsletter' },
          session: { type: 'apiKey', in: 'cookie', name: 'tirage.session_token' },
        },
      },
      security: [{ key: [] }, { session: [] }],
    },
    transform: jsonSchemaTransform,
  })
  api.get('/api/openapi.json', { schema: { hide: true } }, () => api.swagger())
  await api.register(scalar, {
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
  api.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url !== `${reference}/` || typeof payload !== 'string') return payload
    const nonce = randomBytes(16).toString('base64url')
    reply.header('content-security-policy', referencePolicy(nonce))
    return payload.replaceAll(noncePlace, nonce)
  })
}

const reference = '/api/docs'
const noncePlace = 'nonce-of-this-answer'

/** The reference writes its own style elements and attributes. Scripts are ours or carry the nonce. */
const referencePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
