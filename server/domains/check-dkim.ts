import type { Finding } from './contract.ts'
import { type Algorithm, type KeyMatch, matchRecord, recordName, recordText } from './dkim-record.ts'
import type { Answer } from './dns.ts'
import { finding, txtRecord, txtRecords } from './finding.ts'
import type { MailOrigin } from './mail-origins.ts'

export interface PublishedKey {
  id: string
  domain: string
  selector: string
  algorithm: Algorithm
  publicKey: string
  signs: boolean
  /** What DNS holds at its name. */
  answer: Answer<string>
}

export type RecordState = KeyMatch | 'none' | 'failed'

/** What the DNS record says of this key. Several records at one name are unreadable, as some receivers take none then. */
export function recordState(key: PublishedKey): RecordState {
  if (key.answer.kind !== 'found') return key.answer.kind
  const matches = key.answer.records.map((text) => matchRecord(text, key))
  return matches.length === 1 && matches[0] !== undefined ? matches[0] : 'unreadable'
}

/** Whether every receiver can verify mail that is signed now; all read RSA. Null when DNS did not tell. */
export function signatureVerifies(keys: PublishedKey[]): boolean | null {
  const publications = keys.filter(({ signs, algorithm }) => signs && algorithm === 'rsa-sha256').map(recordState)
  if (publications.includes('same')) return true
  return publications.includes('failed') ? null : false
}

/**
 * Whether mail arrives with a valid signature of its domain, from every place that it leaves from. Null when a provider
 * signs with a key of its own, whose name nobody else knows.
 */
export function signatureArrives(keys: PublishedKey[], origins: MailOrigin[]): boolean | null {
  const holds = signatureVerifies(keys)
  if (holds && origins.some(({ signing }) => signing === 'instead')) return null
  if (holds === false && origins.length > 0 && origins.every(({ signing }) => signing !== 'ours')) return null
  return holds
}

/** DKIM (RFC 6376, RFC 8463): the published keys are those that sign. RSA is required, Ed25519 is optional. */
export function checkDkim(domain: string, keys: PublishedKey[], origins: MailOrigin[]): Finding {
  const resigning = origins.filter(({ signing }) => signing === 'instead')
  const values = { domain, place: (resigning[0] ?? origins[0])?.place ?? '' }
  const provider = finding('unknown', resigning.length > 0 ? 'dkim_provider' : 'dkim_provider_may', { values })
  if (resigning.length > 0 && resigning.length === origins.length) return provider
  if (keys.length === 0) {
    const maySign = origins.length > 0 && origins.every(({ signing }) => signing !== 'ours')
    return maySign ? provider : finding('missing', 'dkim_no_keys', { values: { domain } })
  }
  const found = keys.flatMap((key) =>
    key.answer.kind === 'found' ? txtRecords(recordName(key), key.answer.records.slice(0, 2)) : [],
  )
  const holds = signatureVerifies(keys)
  const broken = keyToReport(keys, holds === true)
  if (broken) return reportKey(broken, found, keys)
  if (holds) return resigning.length > 0 ? provider : reportSigning(keys, found)
  const published = keys.filter((key) => recordState(key) === 'same')
  if (published.length === 0) return reportMissing(keys, found)
  return finding('missing', 'dkim_ed25519_only', { found, set: recordsToSet(keys) })
}

function reportSigning(keys: PublishedKey[], found: Finding['found']): Finding {
  const signing = keys.filter((key) => key.signs && recordState(key) === 'same')
  const both = signing.some(({ algorithm }) => algorithm === 'ed25519-sha256')
  const selector = signing.find(({ algorithm }) => algorithm === 'rsa-sha256')?.selector ?? ''
  const set = both ? [] : recordsToSet(keys)
  return finding('good', both ? 'dkim_signs' : 'dkim_signs_rsa_only', { values: { selector }, found, set })
}

/** The key to report. A key that does not sign yet is no problem while another one signs well. */
function keyToReport(keys: PublishedKey[], holds: boolean): PublishedKey | undefined {
  const bad = keys.filter((key) => ['other', 'revoked', 'unreadable'].includes(recordState(key)))
  const lost = keys.filter((key) => key.signs && recordState(key) === 'none')
  return bad.find(({ signs }) => signs) ?? lost[0] ?? (holds ? undefined : bad[0])
}

function reportKey(key: PublishedKey, found: Finding['found'], keys: PublishedKey[]): Finding {
  const values = { name: recordName(key) }
  const set = recordsToSet(keys)
  const publication = recordState(key)
  if (publication === 'revoked') return finding('wrong', 'dkim_revoked', { values, found, set })
  if (publication === 'other') return finding('wrong', 'dkim_other_key', { values, found, set })
  if (publication === 'unreadable') return finding('wrong', 'dkim_unreadable', { values, found, set })
  return finding('missing', 'dkim_not_published', { values, found, set })
}

function reportMissing(keys: PublishedKey[], found: Finding['found']): Finding {
  const [unanswered] = keys.filter((key) => recordState(key) === 'failed')
  if (unanswered) return finding('unknown', 'dkim_failed', { values: { domain: unanswered.domain }, found })
  const [first] = keys
  return finding('missing', 'dkim_not_published', {
    values: { name: first ? recordName(first) : '' },
    found,
    set: recordsToSet(keys),
  })
}

/** The records of the keys that DNS does not hold yet. */
const recordsToSet = (keys: PublishedKey[]) =>
  keys.filter((key) => recordState(key) !== 'same').map((key) => txtRecord(recordName(key), recordText(key)))
