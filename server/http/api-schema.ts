import { z } from 'zod'
import { type ErrorCode, errorStatus } from '../errors.ts'
import { type Access, Csv, type Endpoint, ErrorReply, JsonLines, type OpenAccess } from './endpoint.ts'

export const isOpen = (access: Access): access is OpenAccess => access === 'public' || access === 'user'

/** What Fastify needs to check a call, and what the reference says of it. */
export function schemaOf(endpoint: Endpoint) {
  const { summary, path, access, params, query, body, reply, method } = endpoint
  return {
    summary,
    operationId: operationIdOf(endpoint),
    description: admissionOf(access),
    security: securityOf(access),
    tags: [tagOf(path)],
    ...(path.includes(':') ? { params } : {}),
    ...(method === 'GET' ? { querystring: query } : { querystring: query, body }),
    response: {
      200: streamed.get(reply) ?? json('Done', reply),
      ...Object.fromEntries(
        [...errorsByStatus(endpoint)].map(([status, codes]) => [
          status,
          json(codes.map((code) => `\`${code}\``).join(', '), ErrorReply),
        ]),
      ),
    },
  }
}

const streamed = new Map<Endpoint['reply'], ReturnType<typeof text>>([
  [Csv, text('CSV (RFC 4180)', 'text/csv')],
  [JsonLines, text('JSON lines', 'application/jsonl')],
])

function text(description: string, type: string) {
  return { description, content: { [type]: { schema: z.string() } } }
}

const json = (description: string, schema: Endpoint['reply']) => ({
  description,
  content: { 'application/json': { schema } },
})

/** `PATCH /api/newsletters/:newsletterId/links/:linkId` is `patchNewslettersLinksByLinkId`. */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path.split(/[/.-]/).filter((part) => part && part !== 'api' && !part.startsWith(':'))
  const last = path.match(/:(\w+)$/)?.[1]
  return [method.toLowerCase(), ...[...words, ...(last ? ['by', last] : [])].map(capital)].join('')
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function admissionOf(access: Access): string {
  if (access === 'public') return 'Open to everybody.'
  return access === 'user' ? 'Needs a signed-in person.' : `Needs the permission \`${access}\`.`
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return []
  return access === 'user' ? [{ session: [] }] : [{ key: [] }, { session: [] }]
}

/** The tag of a call in the reference: the part of the path after the newsletter, or the first part. */
function tagOf(path: string): string {
  const [, first = '', second] = path.split(/[/.]/).filter((part) => part && !part.startsWith(':'))
  return first === 'newsletters' ? (second ?? first) : first
}

/** Every status that a call can answer with besides 200, and the codes that have it. */
function errorsByStatus({ method, access, errors, cost, makes, audit }: Endpoint): Map<number, ErrorCode[]> {
  const writes = method !== 'GET'
  const codes: ErrorCode[] = [
    'bad_request',
    ...(access === 'public' ? [] : (['unauthenticated', 'key_unknown', 'key_elsewhere', 'forbidden'] as const)),
    ...(isOpen(access) ? [] : (['newsletter_not_found'] as const)),
    ...(writes ? (['cross_site', 'too_large', 'unsupported_media_type', 'storage_full', 'read_only'] as const) : []),
    'invalid',
    ...(cost ? (['too_many_requests', 'busy'] as const) : []),
    ...(audit ? (['too_many_requests'] as const) : []),
    ...(makes ? (['too_many_from_network'] as const) : []),
    ...errors,
    'internal',
    'database_away',
  ]
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes)) {
    const status = errorStatus[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}
