import fc from 'fast-check'
import { spf as referenceSpf } from 'mailauth/lib/spf/index.js'
import { describe, expect, test } from 'vitest'
import { checkSpf } from './check-spf.ts'
import type { Answer, Dns } from './dns.ts'
import type { MailOrigin } from './mail-origins.ts'
import { includes, readSpf, spfResult } from './spf.ts'
import { isSpf, joinSpf, parseSpf } from './spf-record.ts'

interface Names {
  txt?: Record<string, string[]>
  mx?: Record<string, string[]>
  addresses?: Record<string, string[]>
  failing?: string[]
}

function dnsOf({ txt = {}, mx = {}, addresses = {}, failing = [] }: Names): Dns {
  const answer = <T>(name: string, records: T[] | undefined): Promise<Answer<T>> => {
    if (failing.includes(name)) return Promise.resolve({ kind: 'failed' })
    return Promise.resolve(records?.length ? { kind: 'found', records } : { kind: 'none' })
  }
  return {
    txt: (name) => answer(name, txt[name]),
    mx: (name) =>
      answer(
        name,
        mx[name]?.map((exchange) => ({ exchange, priority: 10 })),
      ),
    addresses: (name) => answer(name, addresses[name]),
    namesOf: (address) => answer(address, undefined),
  }
}

const resultFor = async (names: Names, address: string) => {
  const reading = await readSpf(dnsOf(names), 'a.test')
  return reading.kind === 'read' ? spfResult(reading.node, address) : reading.kind
}

describe('a record', () => {
  test.each([
    ['v=spf1', true],
    ['v=spf1 -all', true],
    ['V=SPF1 -all', true],
    ['v=spf10 -all', false],
    [' v=spf1 -all', false],
    ['spf2.0/pra -all', false],
  ])('%s: %s', (text, expected) => {
    expect(isSpf(text)).toBe(expected)
  })

  test.each([
    ['v=spf1 ip4:192.0.2.300 -all', 'ip4:192.0.2.300'],
    ['v=spf1 ip4:192.0.2.0/33 -all', 'ip4:192.0.2.0/33'],
    ['v=spf1 ip6:192.0.2.1 -all', 'ip6:192.0.2.1'],
    ['v=spf1 include: -all', 'include:'],
    ['v=spf1 include -all', 'include'],
    ['v=spf1 192.0.2.1 -all', '192.0.2.1'],
    ['v=spf1 -all:x.test', '-all:x.test'],
    ['v=spf1 ipv4:192.0.2.1 -all', 'ipv4:192.0.2.1'],
    ['v=spf1 redirect=a.test redirect=b.test', 'redirect=b.test'],
    ['v=spf1 include:https://a.test -all', 'include:https://a.test'],
    ['v=spf1 a/33 -all', 'a/33'],
    ['v=spf1 exists:%{z}.test -all', 'exists:%{z}.test'],
  ])('%s is invalid because of %s', (text, term) => {
    expect(parseSpf(text)).toEqual({ kind: 'syntax', term })
  })

  test.each([
    'v=spf1 a mx ptr ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.b.test exists:%{ir}.%{v}._spf.%{d2} ~all',
    'v=spf1 a:mail.b.test/24//64 mx//48 ?all',
    'v=spf1  redirect=_spf.b.test',
    'v=spf1 unknown=x exp=why.b.test -ALL',
  ])('%s is valid', (text) => {
    expect(parseSpf(text).kind).toBe('record')
  })

  test('any text is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['record', 'syntax']).toContain(parseSpf(`v=spf1 ${text}`).kind)
      }),
    )
  })
})

describe('the result for an address', () => {
  test.each([
    ['192.0.2.7', 'pass'],
    ['192.0.3.7', 'softfail'],
    ['203.0.113.9', 'pass'],
    ['203.0.113.10', 'softfail'],
    ['198.51.100.1', 'pass'],
    ['198.51.100.2', 'pass'],
    ['2001:db8::1:9', 'pass'],
    ['2001:db9::1', 'softfail'],
  ])('%s: %s', async (address, expected) => {
    const names: Names = {
      txt: {
        'a.test': ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 include:b.test a:web.test mx ~all'],
        'b.test': ['v=spf1 ip4:203.0.113.9 -all'],
      },
      addresses: { 'web.test': ['198.51.100.1'], 'mx.test': ['198.51.100.2'] },
      mx: { 'a.test': ['mx.test'] },
    }
    expect(await resultFor(names, address)).toBe(expected)
  })

  test('a redirect decides when nothing matches, and is ignored beside an all', async () => {
    const b = { 'b.test': ['v=spf1 ip4:192.0.2.7 -all'] }
    expect(await resultFor({ txt: { 'a.test': ['v=spf1 redirect=b.test'], ...b } }, '192.0.2.7')).toBe('pass')
    expect(await resultFor({ txt: { 'a.test': ['v=spf1 ?all redirect=b.test'], ...b } }, '192.0.2.7')).toBe('neutral')
  })

  test('terms that depend on the mail are unknown', async () => {
    const txt = { 'a.test': ['v=spf1 exists:%{i}.x.test -all'] }
    expect(await resultFor({ txt }, '192.0.2.7')).toBe('unknown')
    expect(await resultFor({ txt: { 'a.test': ['v=spf1 exists:%{i}.x.test ip4:192.0.2.7 -all'] } }, '192.0.2.7')).toBe(
      'pass',
    )
  })

  test('an include without a record, or without an answer, is reported', async () => {
    const txt = { 'a.test': ['v=spf1 include:b.test -all'] }
    expect(await readSpf(dnsOf({ txt }), 'a.test')).toMatchObject({ kind: 'include_none', domain: 'b.test' })
    expect(await readSpf(dnsOf({ txt, failing: ['b.test'] }), 'a.test')).toEqual({ kind: 'failed' })
  })

  test('lookups of names that do not exist are counted', async () => {
    const txt = { 'a.test': ['v=spf1 a:x.test a:y.test mx:z.test -all'] }
    expect(await readSpf(dnsOf({ txt }), 'a.test')).toMatchObject({ kind: 'read', lookups: 3, voids: 3 })
  })

  test('reading ends however records include each other', async () => {
    const names = ['a.test', 'b.test', 'c.test']
    const term = fc.oneof(
      fc.constantFrom(...names).map((name) => `include:${name}`),
      fc.constantFrom(...names).map((name) => `redirect=${name}`),
      fc.constantFrom('a', 'mx', 'ptr', '~all'),
    )
    const record = fc.array(term, { maxLength: 8 }).map((terms) => [`v=spf1 ${terms.join(' ')}`])
    await fc.assert(
      fc.asyncProperty(fc.tuple(record, record, record), async ([a, b, c]) => {
        const reading = await readSpf(dnsOf({ txt: { 'a.test': a, 'b.test': b, 'c.test': c } }), 'a.test')
        if (reading.kind === 'read') expect(typeof includes(reading.node, 'x.test')).toBe('boolean')
      }),
      { numRuns: 60 },
    )
  })
})

test('the results are those of mailauth', async () => {
  const networks = ['192.0.2.0/24', '192.0.2.128/25', '198.51.100.7', '0.0.0.0/0']
  const mechanism = fc.oneof(
    fc.constantFrom(...networks).map((network) => `ip4:${network}`),
    fc.constantFrom('include:b.test', 'include:c.test', 'a:web.test', 'mx:a.test', 'ip6:2001:db8::/32'),
  )
  const term = fc.tuple(fc.constantFrom('', '-', '~', '?'), mechanism).map((parts) => parts.join(''))
  const end = fc.constantFrom('-all', '~all', '?all', 'redirect=c.test', '')
  const record = fc
    .tuple(fc.array(term, { maxLength: 4 }), end)
    .map(([terms, last]) => ['v=spf1', ...terms, last].join(' ').trim())
  const leaf = fc.constantFrom('v=spf1 ip4:192.0.2.9 -all', 'v=spf1 ip4:198.51.100.0/24 ~all', 'v=spf1 ?all')
  const address = fc.constantFrom('192.0.2.9', '192.0.2.200', '198.51.100.7', '203.0.113.1', '2001:db8::1')
  await fc.assert(
    fc.asyncProperty(fc.tuple(record, leaf, leaf), address, async ([a, b, c], ip) => {
      const names: Names = {
        txt: { 'a.test': [a], 'b.test': [b], 'c.test': [c] },
        mx: { 'a.test': ['mx.test'] },
        addresses: { 'web.test': ['192.0.2.9'], 'mx.test': ['198.51.100.7'] },
      }
      const reference = await referenceSpf({
        sender: 'x@a.test',
        ip,
        helo: 'h.test',
        mta: 'm.test',
        resolver: resolverOf(names),
      })
      expect(await resultFor(names, ip), `${a} | ${b} | ${c} from ${ip}`).toBe(reference.status.result)
    }),
    { numRuns: 300 },
  )
})

/** DNS in the form that mailauth expects. */
function resolverOf({ txt = {}, mx = {}, addresses = {} }: Names) {
  return async (name: string, type: string): Promise<string[] | string[][]> => {
    if (type === 'TXT') return (txt[name] ?? []).map((text) => [text])
    // Its types leave out the result of resolveMx.
    if (type === 'MX') return (mx[name] ?? []).map((exchange) => ({ exchange, priority: 10 })) as unknown as string[]
    const wanted = type === 'AAAA' ? ':' : '.'
    const found = (addresses[name] ?? []).filter((address) => address.includes(wanted))
    if (found.length > 0) return found
    throw Object.assign(new Error('ENODATA'), { code: 'ENODATA' })
  }
}

describe('several records joined into one', () => {
  test.each([
    [['v=spf1 include:b.test ~all'], ['ip4:192.0.2.7'], 'v=spf1 include:b.test ip4:192.0.2.7 ~all'],
    [[], ['include:b.test'], 'v=spf1 include:b.test ~all'],
    [['v=spf1 a -all', 'v=spf1 mx a ~all'], [], 'v=spf1 a mx -all'],
    [['v=spf1 +all'], ['a:mail.test'], 'v=spf1 a:mail.test ~all'],
    [['v=spf1 redirect=b.test'], ['a:mail.test'], 'v=spf1 a:mail.test redirect=b.test'],
  ])('%j and %j: %s', (records, wanted, expected) => {
    expect(joinSpf(records, wanted)).toBe(expected)
  })
})

describe('the finding for the relay in use', () => {
  const origin = (values: Partial<MailOrigin>): MailOrigin => ({
    place: 'relay.test',
    include: null,
    signing: 'ours',
    ownEnvelope: false,
    own: false,
    addresses: { kind: 'none' },
    ...values,
  })
  const found = (address: string) => ({ kind: 'found' as const, records: [address] })
  const ses = origin({ place: 'Amazon SES', include: 'amazonses.com' })

  test.each([
    ['v=spf1 include:amazonses.com -all', ses, 'good spf_covers'],
    ['v=spf1 include:other.test -all', ses, 'wrong spf_not_covered'],
    ['v=spf1 ~include:amazonses.com -all', ses, 'wrong spf_not_covered'],
    ['v=spf1 ip4:192.0.2.7 -all', origin({ own: true, addresses: found('192.0.2.7') }), 'good spf_covers'],
    ['v=spf1 ip4:192.0.2.8 -all', origin({ own: true, addresses: found('192.0.2.7') }), 'wrong spf_not_covered'],
    ['v=spf1 ip4:192.0.2.7 -all', origin({ addresses: found('192.0.2.7') }), 'good spf_covers'],
    ['v=spf1 ip4:192.0.2.8 -all', origin({ addresses: found('192.0.2.7') }), 'unknown spf_cannot_tell'],
    ['v=spf1 include:other.test -all', { ...ses, ownEnvelope: true }, 'unknown spf_provider'],
    ['v=spf1 ip4:192.0.2.8 -all', origin({ own: true }), 'unknown spf_unknown_address'],
    ['v=spf1 +all', origin({ addresses: found('192.0.2.7') }), 'wrong spf_everybody'],
  ])('%s', async (record, relay, expected) => {
    const txt = {
      'a.test': [record],
      'amazonses.com': ['v=spf1 ip4:203.0.113.0/24 -all'],
      'other.test': ['v=spf1 -all'],
    }
    const { state, reason } = checkSpf('a.test', await readSpf(dnsOf({ txt }), 'a.test'), [relay])
    expect(`${state} ${reason}`).toBe(expected)
  })

  test('the record must allow every relay', async () => {
    const reading = await readSpf(dnsOf({ txt: { 'a.test': ['v=spf1 ip4:192.0.2.7 -all'] } }), 'a.test')
    const finding = checkSpf('a.test', reading, [origin({ addresses: found('192.0.2.7') }), ses])
    expect(finding).toMatchObject({ reason: 'spf_not_covered', values: { place: 'Amazon SES' } })
    expect(finding.set[0]?.value).toBe('v=spf1 ip4:192.0.2.7 a:relay.test include:amazonses.com -all')
  })
})
