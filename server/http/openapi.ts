import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'

/** OpenAPI 3.1 from the same contracts that the server obeys, and its reference at /api/docs. */
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
    routePrefix: '/api/docs',
    configuration: { url: '/api/openapi.json', title: 'Tirage API', withDefaultFonts: false, telemetry: false },
    hooks: {
      // The reference brings its own inline script and styles; it shows public text only and reads no session.
      onRequest: (_request, reply, done) => {
        reply.header(
          'content-security-policy',
          "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
        )
        done()
      },
    },
  })
}
