import type { Finding } from './contract.ts'
import type { Answer } from './dns.ts'
import { finding, txtRecord, txts } from './finding.ts'
import { type Algorithm, type KeyMatch, matchRecord, recordName, recordText } from './key-record.ts'
import type { MailOrigin } from './mail-origins.ts'

export interface PublishedKey {
  id: string
  domain: string
  selector: string
  algorithm: Algorithm
  publicKey: string
  signs: boolean
  /** What DNS holds under its name. */
  answer: Answer<string>
}

export type Publication = KeyMatch | 'none' | 'failed'

/** Whether DNS publishes this key. Several records under one name are read as none by some receivers. */
export function publicationOf(key: PublishedKey): Publication {
  if (key.answer.kind !== 'found') return key.answer.kind
  const matches = key.answer.records.map((text) => matchRecord(text, key))
  return matches.length === 1 && matches[0] !== undefined ? matches[0] : 'unreadable'
}

/** Whether mail signed now passes at every receiver: they all read RSA. Null when DNS left it open. */
export function signatureHolds(keys: PublishedKey[]): boolean | null {
  const publications = keys.filter(({ signs, algorithm }) => signs && algorithm === 'rsa-sha256').map(publicationOf)
  if (publications.includes('same')) return true
  return publications.includes('failed') ? null : false
}

/**
 * Whether mail arrives with a signature of its domain, by whichever way it leaves. A provider may sign with a key that it
 * keeps itself: null, since nobody else knows its name.
 */
export function signatureArrives(keys: PublishedKey[], ways: MailOrigin[]): boolean | null {
  const holds = signatureHolds(keys)
  if (holds && ways.some(({ signing }) => signing === 'instead')) return null
  if (holds === false && ways.length > 0 && ways.every(({ signing }) => signing !== 'ours')) return null
  return holds
}

/** DKIM (RFC 6376, RFC 8463): what is published equals what signs. RSA is needed, Ed25519 is welcome. */
export function checkDkim(domain: string, keys: PublishedKey[], ways: MailOrigin[]): Finding {
  const theirs = ways.filter(({ signing }) => signing === 'instead')
  const values = { domain, place: (theirs[0] ?? ways[0])?.place ?? '' }
  const provider = finding('dkim', 'unknown', theirs.length > 0 ? 'dkim_provider' : 'dkim_provider_may', { values })
  if (theirs.length > 0 && theirs.length === ways.length) return provider
  if (keys.length === 0) {
    const maySign = ways.length > 0 && ways.every(({ signing }) => signing !== 'ours')
    return maySign ? provider : finding('dkim', 'missing', 'dkim_no_keys', { values: { domain } })
  }
  const found = keys.flatMap((key) =>
    key.answer.kind === 'found' ? txts(recordName(key), key.answer.records.slice(0, 2)) : [],
  )
  const holds = signatureHolds(keys)
  const broken = mostTelling(keys, holds === true)
  if (broken) return unpublished(broken, found, keys)
  if (holds) return theirs.length > 0 ? provider : signingWell(keys, found)
  const published = keys.filter((key) => publicationOf(key) === 'same')
  if (published.length === 0) return missing(keys, found)
  return finding('dkim', 'missing', 'dkim_ed25519_only', { found, set: records(keys) })
}

function signingWell(keys: PublishedKey[], found: Finding['found']): Finding {
  const signing = keys.filter((key) => key.signs && publicationOf(key) === 'same')
  const both = signing.some(({ algorithm }) => algorithm === 'ed25519-sha256')
  const selector = signing.find(({ algorithm }) => algorithm === 'rsa-sha256')?.selector ?? ''
  const set = both ? [] : records(keys)
  return finding('dkim', 'good', both ? 'dkim_signs' : 'dkim_signs_rsa_only', { values: { selector }, found, set })
}

/** The key to speak of. What one that does not sign yet still lacks is no matter while another signs well. */
function mostTelling(keys: PublishedKey[], holds: boolean): PublishedKey | undefined {
  const bad = keys.filter((key) => ['other', 'revoked', 'unreadable'].includes(publicationOf(key)))
  const lost = keys.filter((key) => key.signs && publicationOf(key) === 'none')
  return bad.find(({ signs }) => signs) ?? lost[0] ?? (holds ? undefined : bad[0])
}

function unpublished(key: PublishedKey, found: Finding['found'], keys: PublishedKey[]): Finding {
  const values = { name: recordName(key) }
  const set = records(keys)
  const publication = publicationOf(key)
  if (publication === 'revoked') return finding('dkim', 'wrong', 'dkim_revoked', { values, found, set })
  if (publication === 'other') return finding('dkim', 'wrong', 'dkim_other_key', { values, found, set })
  if (publication === 'unreadable') return finding('dkim', 'wrong', 'dkim_unreadable', { values, found, set })
  return finding('dkim', 'missing', 'dkim_not_published', { values, found, set })
}

function missing(keys: PublishedKey[], found: Finding['found']): Finding {
  const [silent] = keys.filter((key) => publicationOf(key) === 'failed')
  if (silent) return finding('dkim', 'unknown', 'dkim_failed', { values: { domain: silent.domain }, found })
  const [first] = keys
  return finding('dkim', 'missing', 'dkim_not_published', {
    values: { name: first ? recordName(first) : '' },
    found,
    set: records(keys),
  })
}

/** Those to set: of the keys that DNS does not hold yet. */
const records = (keys: PublishedKey[]) =>
  keys.filter((key) => publicationOf(key) !== 'same').map((key) => txtRecord(recordName(key), recordText(key)))
