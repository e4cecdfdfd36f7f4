import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDns, type TestDns } from '../testing/dns.ts'
import { isPublic, NotPublic, publicAddresses, publicLookup } from './public-address.ts'

test.each([
  '127.0.0.1',
  '127.8.9.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  '2130706433',
  '0x7f000001',
  '127.1',
  '',
])('%s is not public', (address) => expect(isPublic(address)).toBe(false))

test.each(['1.1.1.1', '172.15.255.255', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450:4007::1'])(
  '%s is',
  (address) => expect(isPublic(address)).toBe(true),
)

test('a name of this machine is refused, also in the ways of writing numbers that the system resolves', async () => {
  for (const host of ['localhost', '127.0.0.1', '::1', '0', '127.1', '2130706433', '0x7f.1']) {
    await expect(publicAddresses(host)).rejects.toThrow()
  }
  await expect(publicAddresses('localhost')).rejects.toThrow(NotPublic)
})

describe('names', () => {
  const [open, inner] = ['93.184.215.14', '10.0.0.8']
  const zone = {
    'relay.test': { A: [open], AAAA: ['2606:4700::1111'] },
    'four.test': { A: [open] },
    'six.test': { AAAA: ['2606:4700::1111'] },
    'inner.test': { A: [inner] },
    'both.test': { A: [open, inner] },
    'mapped.test': { A: [open], AAAA: ['::ffff:10.0.0.8'] },
    'broken.test': 'servfail' as const,
  }
  let dns: TestDns
  beforeAll(async () => {
    dns = await startTestDns(zone)
  })
  afterAll(() => dns.stop())
  const addresses = async (host: string) =>
    (await publicAddresses(host, [dns.server])).map(({ address, family }) => `${family} ${address}`)

  test('lead to all their addresses, of both families', async () => {
    expect(await addresses('relay.test')).toEqual([`4 ${open}`, '6 2606:4700::1111'])
    expect(await addresses('four.test')).toEqual([`4 ${open}`])
    expect(await addresses('six.test')).toEqual(['6 2606:4700::1111'])
  })

  test.each(['inner.test', 'both.test', 'mapped.test'])('%s leads to this network and is refused', (host) =>
    expect(addresses(host)).rejects.toThrow(NotPublic),
  )

  test('that nobody knows are told from those that cannot be asked about', async () => {
    await expect(addresses('nowhere.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(addresses('broken.test')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  })

  test('of this machine are not asked about', async () => {
    const before = dns.asked.length
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.1', '0', '2130706433', '0x7f.1', '1.0x7f']) {
      await expect(addresses(host)).rejects.toThrow(NotPublic)
    }
    expect(dns.asked).toHaveLength(before)
  })
})

test('a connection is made to the addresses that were checked, or not at all', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  const answer = await new Promise((resolve) => {
    publicLookup('localhost', { all: true }, (error) => resolve(error))
  })
  expect(answer).toBeInstanceOf(NotPublic)
  server.close()
})
