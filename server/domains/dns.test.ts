import { afterEach, expect, test } from 'vitest'
import { startTestDns, type Zone } from '../testing/dns.ts'
import { withDns } from './dns.ts'
import { runChecks } from './run-checks.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop()
})

async function serve(zone: Zone): Promise<string[]> {
  const dns = await startTestDns(zone)
  open.push(dns)
  return [dns.server]
}

/** `count` different public addresses. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => `198.${n >> 14}.${(n >> 7) & 127}.${n & 127}`)
const input = {
  domain: 'a.test',
  senderAddress: 'ines@a.test',
  bounceDomain: null,
  publicHost: 'news.a.test',
  keys: [],
}
const allowing = (count: number) =>
  `v=spf1 ${addresses(count)
    .map((address) => `ip4:${address}`)
    .join(' ')}`

test('records of the greatest length that DNS can carry are read quickly', { timeout: 8_000 }, async () => {
  const servers = await serve({
    'a.test': { TXT: [`${allowing(200)} -all`] },
    'b.test': { TXT: [`${allowing(2_000)} -all`] },
    'relay.test': { A: addresses(2_000) },
  })
  const relays = [{ host: 'relay.test' }]
  const [short] = await withDns(servers, (dns) => runChecks(dns, { ...input, relays }))
  expect(short?.reason).toBe('spf_covers')
  const [long] = await withDns(servers, (dns) => runChecks(dns, { ...input, domain: 'b.test', relays }))
  expect(long?.check).toBe('spf')
})

test('only the first of many records are read, and only the beginning of a long one', async () => {
  const servers = await serve({
    'a.test': { TXT: ['v=spf1 -all', 'x'.repeat(5_000)], A: addresses(100) },
  })
  await withDns(servers, async (dns) => {
    expect(await dns.txt('a.test')).toEqual({ kind: 'found', records: ['v=spf1 -all', 'x'.repeat(4_096)] })
    expect(await dns.addresses('a.test')).toEqual({ kind: 'found', records: addresses(32) })
  })
})
