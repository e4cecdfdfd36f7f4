import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const MAX_FORM_BYTES = 16 * 1024

/**
 * Reads forms of public pages that are sent as multipart/form-data. Mail providers may send one-click unsubscribe requests
 * so (RFC 8058 section 3.2). Files are ignored.
 */
export function readMultipartForms(pages: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES } as const
  pages.addContentTypeParser('multipart/form-data', options, async (request: FastifyRequest, body: Buffer) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
      throw new AppError('bad_request')
    })
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  })
}
