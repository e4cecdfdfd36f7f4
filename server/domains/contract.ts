import { z } from 'zod'
import { endpoint, Newsletter } from '../http/endpoint.ts'

/** A record to set: `value` for a DNS provider's form, `zone` for a zone file, in strings of at most 255 bytes. */
export const DnsRecord = z.object({ name: z.string(), type: z.literal('TXT'), value: z.string(), zone: z.string() })
export type DnsRecord = z.infer<typeof DnsRecord>

const DkimKey = z.object({
  id: z.string(),
  domain: z.string(),
  selector: z.string(),
  algorithm: z.enum(['rsa-sha256', 'ed25519-sha256']),
  /** The size of an RSA key; null for Ed25519, which has one size. */
  bits: z.int().nullable(),
  /** `waiting`: its record has not been seen in DNS yet. `active`: it signs. `retired`: it no longer signs. */
  state: z.enum(['waiting', 'active', 'retired']),
  createdAt: z.iso.datetime(),
  /** When DNS was last seen to hold this key. */
  seenAt: z.iso.datetime().nullable(),
  activeAt: z.iso.datetime().nullable(),
  retiredAt: z.iso.datetime().nullable(),
  record: DnsRecord,
})

/** `free_mail`: the domain of a mailbox provider. `local`: a name that is in no public DNS. Nobody here can add records to either. */
const DomainKind = z.enum(['own', 'free_mail', 'local'])
export type DomainKind = z.infer<typeof DomainKind>

const Domain = z.object({
  /** The domain of the sender’s address, in A-labels. */
  domain: z.string(),
  /** The same with accents, as people read it. */
  readable: z.string(),
  kind: DomainKind,
  senderAddress: z.string(),
  /** Keys of this domain and of the sender’s former domains, newest first. */
  keys: z.array(DkimKey),
  maximum: z.int(),
})

export const getDomain = endpoint('GET /api/newsletters/:newsletterId/domain', {
  permission: 'domains.read',
  summary: 'The domain mail is sent from, and the DKIM keys that sign it',
  params: Newsletter,
  reply: Domain,
})

export const makeDomainKeys = endpoint('POST /api/newsletters/:newsletterId/domain/keys', {
  permission: 'domains.manage',
  cost: 'keys',
  summary: 'Make a pair of DKIM keys for the sender’s domain, the first ones or those that replace them',
  params: Newsletter,
  reply: Domain,
  errors: ['no_own_domain', 'too_many_dkim_keys', 'too_many_requests'],
  audit: { act: 'domain_key_made' },
})

const oneKey = Newsletter.extend({ keyId: z.string().max(20) })

export const activateDomainKey = endpoint('POST /api/newsletters/:newsletterId/domain/keys/:keyId/activate', {
  permission: 'domains.manage',
  summary: 'Let a key sign without waiting for its record to be seen',
  params: oneKey,
  reply: Domain,
  errors: ['dkim_key_not_found'],
  audit: { act: 'domain_key_activated', keeps: ['keyId'] },
})

export const retireDomainKey = endpoint('POST /api/newsletters/:newsletterId/domain/keys/:keyId/retire', {
  permission: 'domains.manage',
  summary: 'Let a key sign nothing more; its record should stay for a week',
  params: oneKey,
  reply: Domain,
  errors: ['dkim_key_not_found'],
  audit: { act: 'domain_key_retired', keeps: ['keyId'] },
})

export const removeDomainKey = endpoint('DELETE /api/newsletters/:newsletterId/domain/keys/:keyId', {
  permission: 'domains.manage',
  summary: 'Remove a key for good',
  params: oneKey,
  reply: Domain,
  errors: ['dkim_key_not_found'],
  audit: { act: 'domain_key_removed', keeps: ['keyId'] },
})

export const DomainCheck = z.enum(['spf', 'dkim', 'dmarc', 'mx', 'ptr'])

const reasons = {
  spf: [
    'spf_covers',
    'spf_none',
    'spf_several',
    'spf_syntax',
    'spf_lookups',
    'spf_voids',
    'spf_include_none',
    'spf_everybody',
    'spf_not_covered',
    'spf_cannot_tell',
    'spf_provider',
    'spf_unknown_address',
    'spf_no_relay',
    'spf_failed',
  ],
  dkim: [
    'dkim_signs',
    'dkim_signs_rsa_only',
    'dkim_no_keys',
    'dkim_not_published',
    'dkim_other_key',
    'dkim_revoked',
    'dkim_unreadable',
    'dkim_ed25519_only',
    'dkim_provider',
    'dkim_provider_may',
    'dkim_failed',
  ],
  dmarc: [
    'dmarc_passes',
    'dmarc_watches',
    'dmarc_unclear',
    'dmarc_none',
    'dmarc_several',
    'dmarc_unreadable',
    'dmarc_refuses',
    'dmarc_failed',
  ],
  mx: ['mx_receives', 'mx_none', 'mx_implicit', 'mx_null', 'mx_lost', 'mx_bounces', 'mx_failed'],
  ptr: ['ptr_confirmed', 'ptr_none', 'ptr_mismatch', 'ptr_provider', 'ptr_no_address', 'ptr_failed'],
} as const

export const Finding = z.object({
  check: DomainCheck,
  /** `unknown`: DNS did not answer, or the answer does not tell. */
  state: z.enum(['good', 'missing', 'wrong', 'unknown']),
  reason: z.enum([...reasons.spf, ...reasons.dkim, ...reasons.dmarc, ...reasons.mx, ...reasons.ptr]),
  /** The values in the reason’s sentence: an address, a number, a part of a record. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The domain that it is about, when it is the server's and not the sender's: only who runs the server can change its records. */
  ofServer: z.string().nullable(),
  /** The records in DNS; long ones are cut. */
  found: z.array(z.object({ name: z.string(), type: z.enum(['TXT', 'MX', 'PTR']), value: z.string() })),
  /** The records that would solve the problem. */
  set: z.array(DnsRecord),
})
export type Finding = z.infer<typeof Finding>

const Overall = z.object({
  /**
   * Measured by what Gmail and Yahoo require of bulk senders. `ready`: all of it is there. `lacking`: something is
   * missing or wrong. `refused`: the domain’s own DMARC policy makes receivers refuse what Tirage sends now.
   * `unsure`: DNS did not tell.
   */
  state: z.enum(['ready', 'lacking', 'refused', 'unsure', 'free_mail', 'local']),
  lacking: z.array(DomainCheck),
})
export type Overall = z.infer<typeof Overall>

export const checkDomain = endpoint('POST /api/newsletters/:newsletterId/domain/checks', {
  permission: 'domains.read',
  cost: 'dns',
  summary: 'Look at SPF, DKIM, DMARC, MX and PTR in DNS. A key whose record is seen begins to sign.',
  params: Newsletter,
  body: z.object({
    /** Whether to ask DNS again when it was asked less than a minute ago. */
    fresh: z.boolean().default(false),
  }),
  reply: z.object({
    domain: z.string(),
    kind: DomainKind,
    checkedAt: z.iso.datetime(),
    overall: Overall,
    findings: z.array(Finding),
    /** What DNS holds at the name of each key of this domain: the same key, another, none …; `failed`: no answer. */
    keys: z.array(
      z.object({ id: z.string(), published: z.enum(['same', 'other', 'revoked', 'unreadable', 'none', 'failed']) }),
    ),
  }),
  errors: ['too_many_requests'],
})
