import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enqueue } from '../jobs/queue.ts'
import { startTestDns, type TestDns, type Zone } from '../testing/dns.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import type { DnsRecord, Finding } from './contract.ts'
import { signingKeys } from './dkim-keys.ts'

let dns: TestDns
let server: TestNewsletter
beforeAll(async () => {
  dns = await startTestDns()
  server = await startTestNewsletter({
    DNS_SERVERS: dns.server,
    // A relay on this machine sends from the address of PUBLIC_URL.
    SMTP_URL: 'smtp://127.0.0.1:2525',
    PUBLIC_URL: 'https://news.lowwater.test',
  })
})
afterAll(async () => {
  await server?.stop()
  await dns?.stop()
})
beforeEach(async () => {
  dns.zone = {}
  await server.context.db.deleteFrom('dkim_key').execute()
})

interface Domain {
  domain: string
  readable: string
  kind: string
  keys: { id: string; state: string; algorithm: string; bits: number | null; selector: string; record: DnsRecord }[]
}

const domain = async (): Promise<Domain> => (await server.owner.call('GET', `${server.path}/domain`)).json()
const makeKeys = async (): Promise<Domain> => (await server.owner.call('POST', `${server.path}/domain/keys`)).json()

async function check() {
  // One newsletter for all tests is faster than one each; another test covers the limit of checks.
  const answer = await server.owner.call('POST', `${server.path}/domain/checks`, { fresh: true })
  expect(answer.statusCode, answer.body).toBe(200)
  const { overall, findings, keys } = answer.json()
  const of = (name: string): Finding => findings.find((each: Finding) => each.check === name)
  const states = Object.fromEntries(findings.map(({ check, state, reason }: Finding) => [check, `${state} ${reason}`]))
  return { overall, of, states, keys }
}

/** Everything is in order, except that the keys have no records. */
const good: Zone = {
  'lowwater.test': {
    TXT: ['google-site-verification=x', 'v=spf1 ip4:93.184.215.7 ip6:2606:2800::/64 -all'],
    MX: [[10, 'mx.lowwater.test']],
  },
  'mx.lowwater.test': { A: ['93.184.215.9'] },
  '_dmarc.lowwater.test': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@lowwater.test'] },
  'news.lowwater.test': { A: ['93.184.215.7'], AAAA: ['2606:2800::7'] },
  '7.215.184.93.in-addr.arpa': { PTR: ['news.lowwater.test'] },
  '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.2.6.0.6.2.ip6.arpa': { PTR: ['news.lowwater.test'] },
}

const publish = (keys: Domain['keys']): Zone =>
  Object.fromEntries(keys.map(({ record }) => [record.name, { TXT: [record.value] }]))

describe('a domain where everything is in order', () => {
  test('is ready, and its keys sign as soon as their records are seen', async () => {
    const { keys } = await makeKeys()
    expect(keys.map(({ algorithm, bits, state }) => `${algorithm} ${bits} ${state}`)).toEqual([
      'rsa-sha256 2048 waiting',
      'ed25519-sha256 null waiting',
    ])
    expect(await signingKeys(server.context, server.newsletterId, 'lowwater.test')).toEqual([])

    dns.zone = { ...good, ...publish(keys) }
    const { overall, states } = await check()

    expect(states).toEqual({
      spf: 'good spf_covers',
      dkim: 'good dkim_signs',
      dmarc: 'good dmarc_passes',
      mx: 'good mx_receives',
      ptr: 'good ptr_confirmed',
    })
    expect(overall).toEqual({ state: 'ready', lacking: [] })
    const signing = await signingKeys(server.context, server.newsletterId, 'LowWater.test')
    expect(signing.map(({ algorithm, privateKey }) => [algorithm, privateKey.asymmetricKeyType])).toEqual([
      ['rsa-sha256', 'rsa'],
      ['ed25519-sha256', 'ed25519'],
    ])
    expect(await signingKeys(server.context, server.newsletterId, 'elsewhere.test')).toEqual([])
  })

  test('may have the records of its keys behind aliases', async () => {
    const { keys } = await makeKeys()
    const aliases = keys.map(({ record }, i): [string, Zone[string]] => [record.name, { CNAME: `k${i}.host.test` }])
    const targets = keys.map(({ record }, i): [string, Zone[string]] => [`k${i}.host.test`, { TXT: [record.value] }])
    dns.zone = { ...good, ...Object.fromEntries([...aliases, ...targets]) }
    expect((await check()).states.dkim).toBe('good dkim_signs')
  })

  test('the record of an RSA key is split into strings that a zone file accepts', async () => {
    const [rsa, ed25519] = (await makeKeys()).keys
    const strings = [...(rsa?.record.zone ?? '').matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '')
    expect(strings.every((text) => text.length <= 255)).toBe(true)
    expect(strings.join('')).toBe(rsa?.record.value)
    expect(rsa?.record.value).toMatch(/^v=DKIM1; k=rsa; p=MIIBIjANBgkq/)
    expect(ed25519?.record.value).toMatch(/^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/)
  })
})

describe('a domain without records', () => {
  test('is told which records to set', async () => {
    dns.zone = { 'news.lowwater.test': { A: ['93.184.215.7'] } }
    const { overall, states, of } = await check()
    expect(states).toEqual({
      spf: 'missing spf_none',
      dkim: 'missing dkim_no_keys',
      dmarc: 'missing dmarc_none',
      mx: 'missing mx_none',
      ptr: 'missing ptr_none',
    })
    expect(overall).toEqual({ state: 'lacking', lacking: ['spf', 'dkim', 'dmarc'] })
    expect(of('spf').set).toEqual([
      {
        name: 'lowwater.test',
        type: 'TXT',
        value: 'v=spf1 ip4:93.184.215.7 ~all',
        zone: 'lowwater.test. 3600 IN TXT "v=spf1 ip4:93.184.215.7 ~all"',
      },
    ])
    expect(of('dmarc').set[0]?.value).toBe('v=DMARC1; p=none; rua=mailto:ines@lowwater.test')
  })

  test('a DMARC policy that refuses unsigned mail is reported', async () => {
    dns.zone = { ...good, 'lowwater.test': { TXT: ['v=spf1 -all'], MX: [[10, 'mx.lowwater.test']] } }
    const { overall, states } = await check()
    expect(states).toMatchObject({ spf: 'wrong spf_not_covered', dmarc: 'wrong dmarc_refuses' })
    expect(overall.state).toBe('refused')
  })
})

describe('problems that are reported', () => {
  test('several SPF records, and the one that replaces them', async () => {
    const TXT = ['v=spf1 include:_spf.lists.test ~all', 'v=spf1 ip4:93.184.215.7 -all']
    dns.zone = { ...good, 'lowwater.test': { TXT } }
    const spf = (await check()).of('spf')
    expect([spf.state, spf.reason, spf.values.count]).toEqual(['wrong', 'spf_several', 2])
    expect(spf.found.map(({ value }) => value).toSorted()).toEqual(TXT)
    const terms = spf.set[0]?.value.split(' ') ?? []
    expect(terms.at(0)).toBe('v=spf1')
    expect(terms.slice(1, -1).toSorted()).toEqual(['include:_spf.lists.test', 'ip4:93.184.215.7', 'ip6:2606:2800::7'])
    expect(terms.at(-1)).toMatch(/^[~-]all$/)
  })

  test('more SPF lookups than receivers make', async () => {
    const includes = Array.from({ length: 11 }, (_, i) => `include:s${i}.test`)
    dns.zone = { ...good, 'lowwater.test': { TXT: [`v=spf1 ${includes.join(' ')} ip4:93.184.215.7 -all`] } }
    for (let i = 0; i < 11; i += 1) dns.zone[`s${i}.test`] = { TXT: ['v=spf1 ip4:93.184.217.1 -all'] }
    expect((await check()).of('spf')).toMatchObject({ state: 'wrong', reason: 'spf_lookups', values: { count: 11 } })
  })

  test('a provider that the SPF record does not include and that signs with its own key', async () => {
    const relay = { name: 'Postmark', way: { kind: 'postmark', messageStream: 'broadcast' }, secret: 'token' }
    const { id } = (await server.owner.call('POST', `${server.path}/relays`, relay)).json()
    dns.zone = good
    const { of, states } = await check()
    expect(states).toMatchObject({
      spf: 'unknown spf_provider',
      dkim: 'unknown dkim_provider',
      dmarc: 'unknown dmarc_unclear',
      ptr: 'unknown ptr_provider',
    })
    expect(of('spf').values).toEqual({ place: 'Postmark' })
    expect(of('spf').set[0]?.value).toBe('v=spf1 ip4:93.184.215.7 ip6:2606:2800::/64 include:spf.mtasv.net -all')
    await server.owner.call('DELETE', `${server.path}/relays/${id}`)
  })

  test('a record that leads to too many questions is given up', async () => {
    dns.zone = { ...good, 'lowwater.test': { TXT: [`v=spf1 ${'mx:many.test '.repeat(25)}-all`] } }
    const hosts = Array.from({ length: 10 }, (_, i) => `host${i}.many.test`)
    dns.zone['many.test'] = { MX: hosts.map((host): [number, string] => [10, host]) }
    dns.asked.length = 0
    expect((await check()).states.spf).toBe('unknown spf_failed')
    expect(dns.asked.length).toBeLessThanOrEqual(150)
  })

  test('a record that includes itself', async () => {
    dns.zone = { ...good, 'lowwater.test': { TXT: ['v=spf1 include:lowwater.test -all'] } }
    expect((await check()).states.spf).toBe('wrong spf_lookups')
  })

  test('the record of another key', async () => {
    const { keys } = await makeKeys()
    const [first, second] = publishSwapped(keys)
    dns.zone = { ...good, ...first, ...second }
    const { states, of, keys: published } = await check()
    expect(states.dkim).toBe('wrong dkim_other_key')
    expect(of('dkim').set).toHaveLength(2)
    expect(published.map((key: { published: string }) => key.published)).toEqual(['other', 'other'])
    expect((await domain()).keys.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  })

  test('a revoked key, and an unreadable record', async () => {
    const [rsa] = (await makeKeys()).keys
    const name = rsa?.record.name ?? ''
    dns.zone = { ...good, [name]: { TXT: ['v=DKIM1; p='] } }
    expect((await check()).states.dkim).toBe('wrong dkim_revoked')
    dns.zone = { ...good, [name]: { TXT: ['p=a; p=b'] } }
    expect((await check()).states.dkim).toBe('wrong dkim_unreadable')
    dns.zone = { ...good, [name]: { TXT: ['x'.repeat(20_000)] } }
    const { found } = (await check()).of('dkim')
    expect(found[0]?.value.length).toBeLessThan(700)
  })

  test('a domain that takes no mail, and an address whose name leads elsewhere', async () => {
    dns.zone = {
      ...good,
      'lowwater.test': { MX: [[0, '.']] },
      '7.215.184.93.in-addr.arpa': { PTR: ['host-7.provider.test'] },
      'host-7.provider.test': { A: ['93.184.215.99'] },
    }
    expect((await check()).states).toMatchObject({ mx: 'wrong mx_null', ptr: 'wrong ptr_mismatch' })
  })
})

describe('checks that DNS does not answer are unknown', () => {
  test('when the name servers report a failure', async () => {
    const { keys } = await makeKeys()
    dns.zone = {
      ...good,
      'lowwater.test': 'servfail',
      '_dmarc.lowwater.test': 'servfail',
      '7.215.184.93.in-addr.arpa': 'servfail',
      ...Object.fromEntries(keys.map(({ record }) => [record.name, 'servfail' as const])),
    }
    const { overall, states } = await check()
    expect(states).toEqual({
      spf: 'unknown spf_failed',
      dkim: 'unknown dkim_failed',
      dmarc: 'unknown dmarc_failed',
      mx: 'unknown mx_failed',
      ptr: 'unknown ptr_failed',
    })
    expect(overall).toEqual({ state: 'unsure', lacking: [] })
  })

  test('when the name servers are silent, in bounded time', async () => {
    dns.zone = { ...good, '_dmarc.lowwater.test': 'silence', 'lowwater.test': 'silence' }
    const { states } = await check()
    expect(states).toMatchObject({ spf: 'unknown spf_failed', dmarc: 'unknown dmarc_failed', mx: 'unknown mx_failed' })
  })
})

describe('keys', () => {
  test('the old ones sign until the new ones are seen', async () => {
    const old = (await makeKeys()).keys
    dns.zone = { ...good, ...publish(old) }
    await check()
    const both = (await makeKeys()).keys
    expect((await check()).states.dkim).toBe('good dkim_signs')
    expect(both.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'active', 'active'])
    dns.zone = { ...good, ...publish(both) }
    expect((await check()).states.dkim).toBe('good dkim_signs')
    expect((await domain()).keys.map(({ state }) => state)).toEqual(['active', 'active', 'retired', 'retired'])
    const signing = await signingKeys(server.context, server.newsletterId, 'lowwater.test')
    expect(signing.map(({ selector }) => selector)).toEqual(both.slice(0, 2).map(({ selector }) => selector))
  })

  test('an hourly job activates the keys that were published meanwhile', async () => {
    const { keys } = await makeKeys()
    dns.zone = publish(keys)
    await enqueue(server.context.db, 'verify_dkim_keys', {})
    await server.work()
    expect((await domain()).keys.map(({ state }) => state)).toEqual(['active', 'active'])
  })

  test('an owner may activate one without its record, retire it and remove it', async () => {
    const [rsa] = (await makeKeys()).keys
    const at = `${server.path}/domain/keys/${rsa?.id}`
    const signs = async () => (await signingKeys(server.context, server.newsletterId, 'lowwater.test')).length
    expect((await server.owner.call('POST', `${at}/activate`)).json().keys[0].state).toBe('active')
    expect(await signs()).toBe(1)
    expect((await check()).states.dkim).toBe('missing dkim_not_published')
    expect((await server.owner.call('POST', `${at}/retire`)).json().keys[0].state).toBe('retired')
    expect(await signs()).toBe(0)
    expect((await server.owner.call('DELETE', at)).json().keys).toHaveLength(1)
    expect((await server.owner.call('DELETE', at)).json().error.code).toBe('dkim_key_not_found')
  })

  test('there are never more than eight, even when they are made concurrently', async () => {
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => server.owner.call('POST', `${server.path}/domain/keys`)),
    )
    expect(codes.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 200, 409, 409])
    expect((await domain()).keys).toHaveLength(8)
  })

  test('other newsletters cannot reach them, and the database holds them sealed', async () => {
    const [rsa] = (await makeKeys()).keys
    const stranger = await server.signUp()
    const other = await addNewsletter(server.context.db, stranger.userId)
    for (const [method, path] of [
      ['POST', '/activate'],
      ['POST', '/retire'],
      ['DELETE', ''],
    ] as const) {
      const answer = await stranger.call(method, `/api/newsletters/${other}/domain/keys/${rsa?.id}${path}`)
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'dkim_key_not_found'])
    }
    expect((await stranger.call('GET', `${server.path}/domain`)).statusCode).toBe(404)
    expect((await stranger.call('GET', `/api/newsletters/${other}/domain`)).json().keys).toEqual([])
    const rows = await server.context.db.selectFrom('dkim_key').select('private_key').execute()
    expect(rows.every(({ private_key }) => !private_key.includes('PRIVATE KEY'))).toBe(true)
    expect(JSON.stringify(await domain())).not.toContain('PRIVATE')
  })

  test('editors may check, only owners may change', async () => {
    const editor = await server.asMember(server.newsletterId, 'editor')
    expect((await editor.call('GET', `${server.path}/domain`)).statusCode).toBe(200)
    expect((await editor.call('POST', `${server.path}/domain/checks`, {})).statusCode).toBe(200)
    expect((await editor.call('POST', `${server.path}/domain/keys`)).statusCode).toBe(403)
  })
})

describe('the kind of domain', () => {
  const sentFrom = (address: string) =>
    server.context.db
      .updateTable('newsletter')
      .set({ sender_address: address })
      .where('id', '=', server.newsletterId)
      .execute()

  test('the domain of a mailbox provider gets no records, and no question to DNS', async () => {
    await sentFrom('ines@gmail.com')
    dns.asked.length = 0
    const { overall, states } = await check()
    expect([overall.state, states, dns.asked]).toEqual(['free_mail', {}, []])
    expect((await server.owner.call('POST', `${server.path}/domain/keys`)).json().error.code).toBe('no_own_domain')
    await sentFrom('tirage@localhost.localdomain')
    expect((await check()).overall.state).toBe('local')
    await sentFrom('ines@lowwater.test')
  })

  test('a domain with accents is looked up by its A-labels', async () => {
    await sentFrom('inès@Marée.test')
    expect(await makeKeys()).toMatchObject({ domain: 'xn--mare-dpa.test', readable: 'marée.test', kind: 'own' })
    const { keys } = await domain()
    dns.zone = { ...publish(keys), 'xn--mare-dpa.test': { TXT: ['v=spf1 -all'] } }
    expect((await check()).states).toMatchObject({ dkim: 'good dkim_signs', spf: 'unknown spf_unknown_address' })
    expect(await signingKeys(server.context, server.newsletterId, 'marée.test')).toHaveLength(2)
    await sentFrom('ines@lowwater.test')
  })
})

test('results are kept for a minute, and a newsletter can ask a limited number of times', async () => {
  const owner = await server.signUp()
  const id = await addNewsletter(server.context.db, owner.userId)
  const look = (fresh: boolean) => owner.call('POST', `/api/newsletters/${id}/domain/checks`, { fresh })
  const first = (await look(false)).json()
  dns.asked.length = 0
  expect((await look(false)).json()).toEqual(first)
  expect(dns.asked).toEqual([])
  const answers = await Promise.all(Array.from({ length: 40 }, () => look(true)))
  // 30 an hour, of which one was used. Some of those may also have found too many of the owner's calls waiting.
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThanOrEqual(11)
  expect(refused.length).toBeLessThan(40)
})

function publishSwapped(keys: Domain['keys']): [Zone, Zone] {
  const [rsa, ed25519] = keys
  return [
    { [rsa?.record.name ?? '']: { TXT: [ed25519?.record.value ?? ''] } },
    { [ed25519?.record.name ?? '']: { TXT: [rsa?.record.value ?? ''] } },
  ]
}
