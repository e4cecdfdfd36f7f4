import { isIP } from 'node:net'
import { dnsName } from './domain-names.ts'

/** The result of a match: `+` pass, `-` fail, `~` softfail, `?` neutral (RFC 7208 section 4.6.2). */
export type Qualifier = '+' | '-' | '~' | '?'

export interface Mechanism {
  qualifier: Qualifier
  name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists'
  /** A domain or an address; null for the domain of the record itself. */
  value: string | null
  /** Prefix lengths; null for the whole address. */
  cidr4: number | null
  cidr6: number | null
  /** Its value depends on the mail (RFC 7208 section 7), so it cannot be looked up beforehand. */
  macro: boolean
}

type SpfRecord = { mechanisms: Mechanism[]; redirect: string | null; macroRedirect: boolean }
export type ParsedSpf = { kind: 'record'; record: SpfRecord } | { kind: 'syntax'; term: string }

/** A record begins with this version, alone or before a space (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** Parses a record (RFC 7208 section 12), or returns the first invalid term. */
export function parseSpf(text: string): ParsedSpf {
  const mechanisms: Mechanism[] = []
  let redirect: string | null = null
  const modifiers = new Set<string>()
  for (const term of text.trim().split(/ +/).slice(1)) {
    const [, name, value] = term.match(/^([a-z][a-z0-9_.-]*)=(.*)$/i) ?? []
    if (name !== undefined && value !== undefined) {
      const modifier = name.toLowerCase()
      const known = modifier === 'redirect' || modifier === 'exp'
      if (known && (modifiers.has(modifier) || !isDomain(value))) return { kind: 'syntax', term }
      modifiers.add(modifier)
      if (modifier === 'redirect') redirect = value
      continue
    }
    const mechanism = parseMechanism(term)
    if (!mechanism) return { kind: 'syntax', term }
    mechanisms.push(mechanism)
  }
  return { kind: 'record', record: { mechanisms, redirect, macroRedirect: redirect?.includes('%') ?? false } }
}

function parseMechanism(term: string): Mechanism | null {
  const [, sign = '', written = '', rest = ''] = term.match(/^([+\-~?]?)([a-z0-9]+)(.*)$/i) ?? []
  const plain = { qualifier: qualifierOf(sign), value: null, cidr4: null, cidr6: null, macro: false }
  const name = written.toLowerCase()
  switch (name) {
    case 'all':
      return rest === '' ? { ...plain, name: 'all' } : null
    case 'include':
    case 'exists':
    case 'ptr':
      return withDomain(plain, name, rest)
    case 'a':
    case 'mx':
      return withLengths(plain, name, rest)
    case 'ip4':
    case 'ip6':
      return withAddress(plain, name, rest)
    default:
      return null
  }
}

/** A mechanism without a qualifier means `+` (RFC 7208 section 4.6.2). */
const qualifierOf = (sign: string): Qualifier => (sign === '-' || sign === '~' || sign === '?' ? sign : '+')

type Plain = Omit<Mechanism, 'name'>

function withDomain(plain: Plain, name: 'include' | 'exists' | 'ptr', rest: string): Mechanism | null {
  if (name === 'ptr' && rest === '') return { ...plain, name }
  if (!rest.startsWith(':') || !isDomain(rest.slice(1))) return null
  return { ...plain, name, value: rest.slice(1), macro: rest.includes('%') }
}

function withLengths(plain: Plain, name: 'a' | 'mx', rest: string): Mechanism | null {
  const [whole, domain, four, six] = rest.match(/^(?::([^/]+))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/) ?? []
  if (whole === undefined || (domain !== undefined && !isDomain(domain))) return null
  const [cidr4, cidr6] = [lengthOf(four, 32), lengthOf(six, 128)]
  if (cidr4 === undefined || cidr6 === undefined) return null
  return { ...plain, name, value: domain ?? null, cidr4, cidr6, macro: domain?.includes('%') ?? false }
}

function withAddress(plain: Plain, name: 'ip4' | 'ip6', rest: string): Mechanism | null {
  const [, address = '', digits] = rest.match(/^:([^/]+)(?:\/(\d{1,3}))?$/) ?? []
  const length = lengthOf(digits, name === 'ip4' ? 32 : 128)
  if (isIP(address) !== (name === 'ip4' ? 4 : 6) || length === undefined) return null
  return { ...plain, name, value: address, [name === 'ip4' ? 'cidr4' : 'cidr6']: length }
}

/** The prefix length; null where none is given, undefined where it is invalid. */
function lengthOf(digits: string | undefined, most: number): number | null | undefined {
  if (digits === undefined) return null
  return Number(digits) <= most ? Number(digits) : undefined
}

const isDomain = (text: string): boolean =>
  text.includes('%')
    ? /^([\x21-\x24\x26-\x7e]|%[%_-]|%\{[slodiphcrtv]\d*r?[.\-+,/_=]*\})+$/i.test(text)
    : hasLabels(text)

const hasLabels = (text: string): boolean => (dnsName(text)?.includes('.') ?? false) && !text.includes('..')

/**
 * Joins several records into one and adds the terms of `wanted`. The terms that allow something keep their order and
 * come before the one that decides about all others, so the new record allows everything that one of the old ones did.
 */
export function joinSpf(records: string[], wanted: string[]): string {
  const terms = records.flatMap((text) => text.trim().split(/ +/).slice(1))
  const ends = terms.filter((term) => /^[+\-~?]?all$|^redirect=/i.test(term) && !/^\+?all$/i.test(term))
  const allowing = terms.filter((term) => !/^([+\-~?]?all$|redirect=)/i.test(term))
  const end = ends.find((term) => /^redirect=/i.test(term)) ?? ends[0] ?? '~all'
  return [...new Set(['v=spf1', ...allowing, ...wanted, end])].join(' ')
}
