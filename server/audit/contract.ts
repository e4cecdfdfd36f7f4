import { z } from 'zod'
import { AccountAct, AuditAct, AuditActor, AuditKind, AuditOutcome } from '../audit-acts.ts'
import { Csv, Done, endpoint, Newsletter, Paging, pageOf, Sheet } from '../http/endpoint.ts'

const Person = z.object({ userId: z.string(), name: z.string() })

const AuditLine = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  act: z.union([AuditAct, AccountAct]),
  /** `begun`: the answer is not known, because the server stopped in between. */
  outcome: AuditOutcome,
  actor: AuditActor,
  /** Null when they deleted their account, or when no person did it. */
  who: Person.nullable(),
  apiKey: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  about: Person.nullable(),
  publication: z.object({ id: z.string(), title: z.string() }).nullable(),
  network: z.string().nullable(),
  /** How somebody signed in. */
  method: z.string().nullable(),
  reason: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

/** For how many days an audit can be kept. Null: for ever. */
export const auditDays = [90, 365, 1095, null] as const
const AuditDays = z.literal(auditDays)
export type AuditDays = z.infer<typeof AuditDays>

export const listAudit = endpoint('GET /api/newsletters/:newsletterId/audit', {
  permission: 'audit.read',
  summary: 'Who did what to the newsletter, and the sign-ins of its members, newest first',
  params: Newsletter,
  query: Paging.extend({ kind: AuditKind.optional(), userId: z.string().max(64).optional() }),
  reply: pageOf(AuditLine).extend({ days: AuditDays }),
})

export const exportAudit = endpoint('GET /api/newsletters/:newsletterId/audit.csv', {
  permission: 'audit.read',
  cost: 'export',
  summary: 'The audit as CSV, whole or of one kind',
  params: Newsletter,
  query: Sheet.extend({ kind: AuditKind.optional() }),
  reply: Csv,
  audit: { act: 'audit_exported' },
})

export const keepAudit = endpoint('PUT /api/newsletters/:newsletterId/audit/days', {
  permission: 'audit.read',
  summary: 'Choose for how long the audit is kept',
  params: Newsletter,
  body: z.object({ days: AuditDays }),
  reply: Done,
  errors: ['invalid'],
  audit: { act: 'audit_kept', keeps: ['days'] },
})

export const listAccountEvents = endpoint('GET /api/me/events', {
  access: 'user',
  summary: 'What happened at the door of the signed-in person’s account, newest first',
  query: Paging,
  reply: pageOf(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      act: AccountAct,
      outcome: AuditOutcome,
      method: z.string().nullable(),
      network: z.string().nullable(),
      device: z.string().nullable(),
    }),
  ),
})
