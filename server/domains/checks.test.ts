import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDkim, type PublishedKey, signatureArrives, signatureVerifies } from './check-dkim.ts'
import { checkDmarc } from './check-dmarc.ts'
import { checkMx } from './check-mx.ts'
import { checkPtr, type ReverseName } from './check-ptr.ts'
import type { Finding } from './contract.ts'
import { matchRecord, readTags, recordText } from './dkim-record.ts'
import { isAligned, readDmarc } from './dmarc.ts'
import type { Answer, Dns } from './dns.ts'
import { finding, txtRecord } from './finding.ts'
import { type MailOrigin, mailOrigins } from './mail-origins.ts'
import { overallOf } from './overall.ts'

const found = <T>(...records: T[]): Answer<T> => ({ kind: 'found', records })
const none = { kind: 'none' } as const
const failed = { kind: 'failed' } as const
const say = ({ state, reason }: Finding) => `${state} ${reason}`

const rsa = { algorithm: 'rsa-sha256', publicKey: 'MIIBkey' } as const

describe('a published key', () => {
  test.each([
    ['v=DKIM1; k=rsa; p=MIIBkey', 'same'],
    ['p=MIIBkey', 'same'],
    ['v=DKIM1; k=rsa; h=sha1:sha256; s=email; t=s; p=MIIB key', 'same'],
    ['v=DKIM1; k=rsa; p=MIIBother', 'other'],
    ['v=DKIM1; k=ed25519; p=MIIBkey', 'other'],
    ['v=DKIM1; k=rsa; h=sha1; p=MIIBkey', 'other'],
    ['v=DKIM1; k=rsa; s=tlsrpt; p=MIIBkey', 'other'],
    ['v=DKIM1; p=', 'revoked'],
    ['v=DKIM2; p=MIIBkey', 'unreadable'],
    ['v=DKIM1; k=rsa', 'unreadable'],
    ['v=spf1 -all', 'unreadable'],
    ['', 'unreadable'],
  ])('%s: %s', (text, expected) => {
    expect(matchRecord(text, rsa)).toBe(expected)
  })

  test('matches the record that we show for it, and no text makes the parser throw', () => {
    const base64 = fc.base64String({ minLength: 4 })
    fc.assert(
      fc.property(base64, fc.constantFrom('rsa-sha256' as const, 'ed25519-sha256' as const), (publicKey, algorithm) => {
        expect(matchRecord(recordText({ algorithm, publicKey }), { algorithm, publicKey })).toBe('same')
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => void readTags(text)))
  })

  test('the strings of a record hold at most 255 bytes and join to the whole value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 2_000 }), (value) => {
        const { zone } = txtRecord('x.test', value)
        const strings = [...zone.slice('x.test. 3600 IN TXT '.length).matchAll(/"((?:[^"\\]|\\.)*)"/gs)]
        const texts = strings.map(([, text = '']) => text.replaceAll(/\\(.)/gs, '$1'))
        expect(texts.join('')).toBe(value)
        expect(texts.every((text) => text.length <= 255)).toBe(true)
      }),
    )
  })
})

describe('DKIM', () => {
  const key = (values: Partial<PublishedKey>): PublishedKey => ({
    id: '1',
    domain: 'a.test',
    selector: 's',
    signs: true,
    answer: found('p=MIIBkey'),
    ...rsa,
    ...values,
  })
  const second = key({ algorithm: 'ed25519-sha256', publicKey: 'ed', answer: found('k=ed25519; p=ed') })
  const waiting = key({ signs: false, answer: none })

  test.each<[string, PublishedKey[], string]>([
    ['no keys', [], 'missing dkim_no_keys'],
    ['both keys are published', [key({}), second], 'good dkim_signs'],
    ['only RSA is published', [key({}), { ...second, signs: false, answer: none }], 'good dkim_signs_rsa_only'],
    ['only Ed25519 is published', [waiting, second], 'missing dkim_ed25519_only'],
    ['no key is published', [waiting], 'missing dkim_not_published'],
    ['the record of a signing key was removed', [key({ answer: none }), second], 'missing dkim_not_published'],
    [
      'the records of new keys are wrong, beside good ones',
      [key({}), second, key({ signs: false, answer: found('p=x') })],
      'good dkim_signs',
    ],
    ['the records of new keys are wrong', [key({ signs: false, answer: found('p=x') })], 'wrong dkim_other_key'],
    ['a key is revoked', [key({ answer: found('p=') })], 'wrong dkim_revoked'],
    ['two records have one name', [key({ answer: found('p=MIIBkey', 'p=MIIBkey') })], 'wrong dkim_unreadable'],
    ['DNS does not answer', [key({ answer: failed })], 'unknown dkim_failed'],
  ])('%s', (_, keys, expected) => {
    expect(say(checkDkim('a.test', keys, []))).toBe(expected)
  })

  const origin = (signing: MailOrigin['signing']): MailOrigin => ({
    place: signing,
    include: null,
    signing,
    ownEnvelope: false,
    own: false,
    addresses: none,
  })
  test.each<[MailOrigin['signing'][], PublishedKey[], string, boolean | null]>([
    [['ours'], [key({}), second], 'good dkim_signs', true],
    [['also'], [key({}), second], 'good dkim_signs', true],
    [['also'], [], 'unknown dkim_provider_may', null],
    [['also', 'ours'], [], 'missing dkim_no_keys', false],
    [['instead'], [], 'unknown dkim_provider', null],
    [['instead'], [key({ answer: none })], 'unknown dkim_provider', null],
    [['instead', 'ours'], [key({}), second], 'unknown dkim_provider', null],
    [['instead', 'ours'], [waiting], 'missing dkim_not_published', false],
  ])('mail from origins whose signatures are %j', (...[signings, keys, expected, arrives]) => {
    const origins = signings.map(origin)
    expect([say(checkDkim('a.test', keys, origins)), signatureArrives(keys, origins)]).toEqual([expected, arrives])
  })

  test('a signature is verifiable when its RSA key is published, which every receiver reads', () => {
    expect([[key({})], [second], [key({ answer: failed })], [waiting]].map(signatureVerifies)).toEqual([
      true,
      false,
      null,
      false,
    ])
  })
})

describe('DMARC', () => {
  const dnsOf = (txt: Record<string, string[] | 'failed'>): Dns => ({
    txt: async (name) => {
      const records = txt[name]
      return records === 'failed' ? failed : records ? found(...records) : none
    },
    mx: async () => none,
    addresses: async () => none,
    namesOf: async () => none,
  })

  test.each<[string, Record<string, string[] | 'failed'>, object]>([
    [
      'of the domain itself',
      { '_dmarc.news.a.co.uk': ['v=DMARC1; p=reject'] },
      { kind: 'read', policy: 'reject', at: '_dmarc.news.a.co.uk' },
    ],
    [
      'of the registered domain',
      { '_dmarc.a.co.uk': ['v=DMARC1; p=reject'] },
      { kind: 'read', policy: 'reject', at: '_dmarc.a.co.uk' },
    ],
    [
      'of the registered domain, for its subdomains',
      { '_dmarc.a.co.uk': ['v=DMARC1; p=reject; sp=none'] },
      { policy: 'none' },
    ],
    [
      'sp is not for the domain itself',
      { '_dmarc.news.a.co.uk': ['v=DMARC1; p=reject; sp=none'] },
      { policy: 'reject' },
    ],
    ['of a public suffix with psd=y', { '_dmarc.co.uk': ['v=DMARC1; p=quarantine; psd=y'] }, { policy: 'quarantine' }],
    ['not of a public suffix without it', { '_dmarc.co.uk': ['v=DMARC1; p=quarantine'] }, { kind: 'none' }],
    ['several records', { '_dmarc.news.a.co.uk': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, { kind: 'several' }],
    ['beside another kind of record', { '_dmarc.news.a.co.uk': ['x', 'v=DMARC1; p=none'] }, { policy: 'none' }],
    ['without p, but with reports', { '_dmarc.news.a.co.uk': ['v=DMARC1; rua=mailto:x@a.test'] }, { policy: 'none' }],
    ['with an invalid p', { '_dmarc.news.a.co.uk': ['v=DMARC1; p=maybe'] }, { kind: 'unreadable' }],
    ['not when the version is not first', { '_dmarc.news.a.co.uk': ['p=none; v=DMARC1'] }, { kind: 'none' }],
    ['DNS does not answer', { '_dmarc.news.a.co.uk': 'failed' }, { kind: 'failed' }],
  ])('finds the policy: %s', async (_, txt, expected) => {
    expect(await readDmarc(dnsOf(txt), 'news.a.co.uk')).toMatchObject(expected)
  })

  test.each([
    ['bounces.a.test', 'a.test', false, true],
    ['bounces.a.test', 'a.test', true, false],
    ['a.test', 'a.test', true, true],
    ['bounces.b.test', 'a.test', false, false],
    ['a.co.uk', 'b.co.uk', false, false],
  ])('envelope %s is aligned with sender %s (strict: %s): %s', (...[envelope, sender, strict, expected]) => {
    expect(isAligned(envelope, sender, strict)).toBe(expected)
  })

  const spf = (state: Finding['state']) => finding(state, 'spf_covers')
  test.each([
    ['none', 'missing', false, 'a.test', 'good dmarc_watches'],
    ['reject', 'missing', true, 'a.test', 'good dmarc_passes'],
    ['reject', 'good', false, 'a.test', 'good dmarc_passes'],
    ['reject', 'good', false, 'other.test', 'wrong dmarc_refuses'],
    ['quarantine', 'wrong', false, 'a.test', 'wrong dmarc_refuses'],
    ['reject', 'unknown', false, 'a.test', 'unknown dmarc_unclear'],
    ['reject', 'missing', null, 'a.test', 'unknown dmarc_unclear'],
    ['reject', 'good', false, null, 'unknown dmarc_unclear'],
  ] as const)('%s, SPF %s, signed %s, bounces to %s: %s', (...[policy, state, signed, envelope, expected]) => {
    const reading = { kind: 'read', at: '_dmarc.a.test', record: '', policy, reports: true, strictSpf: false } as const
    const sending = { domain: 'a.test', envelope, reportsTo: 'x@a.test', spf: spf(state), signed }
    expect(say(checkDmarc(reading, sending))).toBe(expected)
  })
})

describe('MX', () => {
  const mailboxes = (mx: Parameters<typeof checkMx>[0]['mx'], addresses: Answer<string> = found('192.0.2.9')) => ({
    domain: 'a.test',
    mx,
    addresses,
  })
  const one = found({ exchange: 'mx.test', priority: 10 })
  test.each([
    [mailboxes(one), null, 'good mx_receives'],
    [mailboxes(one, none), null, 'wrong mx_lost'],
    [mailboxes(one, failed), null, 'unknown mx_failed'],
    [mailboxes(found({ exchange: '', priority: 0 })), null, 'wrong mx_null'],
    [mailboxes(none), null, 'missing mx_implicit'],
    [mailboxes(none, none), null, 'missing mx_none'],
    [mailboxes(failed), null, 'unknown mx_failed'],
    [mailboxes(one), mailboxes(one), 'good mx_receives'],
    [mailboxes(one), mailboxes(none, none), 'missing mx_bounces'],
    [mailboxes(one), mailboxes(failed), 'unknown mx_failed'],
  ])('%#', (sender, bounces, expected) => {
    expect(say(checkMx(sender, bounces))).toBe(expected)
  })
})

describe('PTR', () => {
  const address = '2001:db8::7'
  const named = found('mail.test')
  test.each<['own' | 'provider' | 'unclear', ReverseName[], string]>([
    ['own', [{ address, names: named, forward: [found('2001:0db8:0:0:0:0:0:7')] }], 'good ptr_confirmed'],
    ['own', [{ address, names: named, forward: [found('2001:db8::8')] }], 'wrong ptr_mismatch'],
    ['own', [{ address, names: none, forward: [] }], 'missing ptr_none'],
    ['own', [{ address, names: named, forward: [failed] }], 'unknown ptr_failed'],
    ['own', [], 'unknown ptr_no_address'],
    ['unclear', [{ address, names: none, forward: [] }], 'unknown ptr_provider'],
    ['provider', [], 'unknown ptr_provider'],
  ])('%s %#', (whose, reverse, expected) => {
    expect(say(checkPtr('mail.test', whose, reverse))).toBe(expected)
  })
})

describe('the origins of mail', () => {
  const dns: Dns = {
    txt: async () => none,
    mx: async () => none,
    addresses: async (name) =>
      name === 'inside.test'
        ? found('10.0.0.4')
        : name === 'here.test'
          ? found('93.184.215.7', '127.0.0.1')
          : found('93.184.216.1'),
    namesOf: async () => none,
  }
  test.each([
    [{ host: 'email-smtp.eu-west-3.amazonaws.com' }, { place: 'Amazon SES', include: 'amazonses.com', own: false }],
    [{ kind: 'postmark' as const }, { place: 'Postmark', include: 'spf.mtasv.net', own: false }],
    [{ host: 'inside.test' }, { place: 'here.test', include: null, own: true, addresses: found('93.184.215.7') }],
    [{ host: 'here.test' }, { place: 'here.test', own: true }],
    [{ host: 'elsewhere.test' }, { place: 'elsewhere.test', own: false, addresses: found('93.184.216.1') }],
    [{ host: 'notamazonaws.com' }, { place: 'notamazonaws.com', include: null }],
  ])('%j', async (place, expected) => {
    expect(await mailOrigins(dns, [place, place], 'here.test')).toMatchObject([expected])
  })
})

describe('the overall result', () => {
  const all = (spf: Finding['state'], dkim: Finding['state'], dmarc: Finding['state']) => [
    finding(spf, 'spf_covers'),
    finding(dkim, 'dkim_signs'),
    finding(dmarc, 'dmarc_passes'),
    finding('missing', 'mx_none'),
    finding('unknown', 'ptr_provider'),
  ]
  test.each([
    [all('good', 'good', 'good'), { state: 'ready', lacking: [] }],
    [all('unknown', 'good', 'good'), { state: 'unsure', lacking: [] }],
    [all('wrong', 'missing', 'good'), { state: 'lacking', lacking: ['spf', 'dkim'] }],
    [[finding('wrong', 'dmarc_refuses')], { state: 'refused', lacking: ['dmarc'] }],
  ])('%#', (findings, expected) => {
    expect(overallOf('own', findings)).toEqual(expected)
    expect(overallOf('free_mail', findings)).toEqual({ state: 'free_mail', lacking: [] })
  })
})
