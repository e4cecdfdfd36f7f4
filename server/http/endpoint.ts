import { z } from 'zod'
import type { AuditAct } from '../audit-acts.ts'
import type { ErrorCode } from '../errors.ts'
import { languages } from '../languages.ts'
import type { Permission } from '../permissions.ts'
import type { Cost } from './costs.ts'

/** Open to everybody, or to every signed-in user. */
export type OpenAccess = 'public' | 'user'
/** Who may call. A permission means: a member or API key of the newsletter in the path, whose role has it. */
export type Access = OpenAccess | Permission

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Shape = z.ZodType

/** What calls make that stays, and that each network may have made only so often by people without a proven address. */
export type Made = 'newsletters' | 'publications' | 'links' | 'apiKeys' | 'uploads' | 'invitations'

export interface Endpoint<
  A extends Access = Access,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  method: Method
  path: string
  access: A
  summary: string
  params: P
  query: Q
  body: B
  reply: R
  errors: readonly ErrorCode[]
  audit: Audited | null
  cost: Cost | null
  makes: Made | null
  /** Whether a user must have proven who they are within ten minutes (`fresh-proof.ts`). */
  freshProof: boolean
}

/** That each call leaves a line in the newsletter's audit, and which of its parameters and fields the line keeps: never a secret. */
export interface Audited {
  act: AuditAct
  keeps?: readonly string[]
}

/** The path parameter of every endpoint of a newsletter. */
export const Newsletter = z.object({ newsletterId: z.string() })

/**
 * One line that people read: without control characters, because it goes into the headers of mails, without halves of a character, which no database keeps, and without those that turn
 * the order of letters round, with which one name looks like another (Unicode Standard Annex 9, section 2). Something in it can be seen.
 */
export const line = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u)
    .regex(/^$|[^\s\p{Default_Ignorable_Code_Point}]/u)

/** A whole web address. An empty one is said to be missing, and not to be a wrong one. */
export const webAddress = (maximum = 2_000) =>
  z
    .string()
    .min(1, { abort: true })
    .max(maximum)
    .check(z.url({ protocol: /^https?$/ }))

/** Text of some lines, under the rules of `line`. */
export const lines = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^(?:\n|[^\p{Cc}\p{Cs}\p{Bidi_Control}])*$/u)

/** A subscriber's id as members see it (`shown-ids.ts`). It opens none of the subscriber's own pages. */
export const ShownId = z.string().regex(/^[0-9a-f]{32}$/)

/** The reply of an endpoint that has nothing to say but success. */
export const Done = z.object({ done: z.literal(true) })

/** The reply of an endpoint that streams `text/csv`, and not JSON. */
export const Csv = z.unknown()

/** The language of the spreadsheet that opens a file: its separators, with a byte order mark. Absent: for programs, with commas and points. */
export const Sheet = z.object({ sheet: z.enum(languages).optional() })

/** The same for JSON lines: one JSON value in each line. */
export const JsonLines = z.unknown()

const Nothing = z.unknown()

/** An endpoint of a newsletter names the permission that it needs. Any other endpoint names its access. */
type Admission<A extends Access> = { permission: A & Permission } | { access: A & OpenAccess }

interface Spec<P, Q, B, R> {
  summary: string
  params?: P
  query?: Q
  body?: B
  reply: R
  /** Those that its handler throws, besides the ones that any call can get. */
  errors?: readonly ErrorCode[]
  audit?: Audited
  /** For calls that cost noticeably: how often and how many at once, for each person. */
  cost?: Cost
  makes?: Made
  freshProof?: true
}

/**
 * One call of the API: `endpoint('POST /api/newsletters/:newsletterId/links', { permission: 'links.write', … })`. The server
 * registers it, the owner app calls it, and the reference prints it.
 */
export function endpoint<
  A extends Access,
  R extends Shape,
  P extends Shape = typeof Nothing,
  Q extends Shape = typeof Nothing,
  B extends Shape = typeof Nothing,
>(route: `${Method} /api/${string}`, spec: Admission<A> & Spec<P, Q, B, R>): Endpoint<A, P, Q, B, R> {
  const [method, path] = route.split(' ') as [Method, string]
  return {
    method,
    path,
    access: 'permission' in spec ? spec.permission : spec.access,
    summary: spec.summary,
    params: spec.params ?? (Nothing as unknown as P),
    query: spec.query ?? (Nothing as unknown as Q),
    body: spec.body ?? (Nothing as unknown as B),
    reply: spec.reply,
    errors: spec.errors ?? [],
    audit: spec.audit ?? null,
    cost: spec.cost ?? null,
    makes: spec.makes ?? null,
    freshProof: spec.freshProof ?? false,
  }
}

/** The reply to every call that fails. */
export const ErrorReply = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      fields: z.record(z.string(), z.string()).optional(),
      detail: z.unknown().optional(),
    }),
  })
  .meta({ id: 'Error' })

/** A page of rows and the cursor of the next one, or null at the end. */
export const pageOf = <T extends Shape>(row: T) => z.object({ rows: z.array(row), next: z.string().nullable() })
export const Paging = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
