import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDns, type TestDns } from '../testing/dns.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import type { Finding } from './contract.ts'

let dns: TestDns
let server: TestNewsletter
beforeAll(async () => {
  dns = await startTestDns()
  server = await startTestNewsletter({
    DNS_SERVERS: dns.server,
    SMTP_URL: 'smtp://127.0.0.1:2525',
    PUBLIC_URL: 'https://news.lowwater.test',
    BOUNCE_DOMAIN: 'bounces.house.test',
  })
})
afterAll(async () => {
  await server?.stop()
  await dns?.stop()
})

async function findings(): Promise<Record<string, Finding>> {
  const answer = await server.owner.call('POST', `${server.path}/domain/checks`, { fresh: true })
  return Object.fromEntries(answer.json().findings.map((finding: Finding) => [finding.check, finding]))
}

test('a finding about the domain that bounces go to says that it is the server’s', async () => {
  dns.zone = {
    'lowwater.test': { MX: [[10, 'mx.lowwater.test']] },
    'mx.lowwater.test': { A: ['93.184.215.9'] },
    'news.lowwater.test': { A: ['93.184.215.7'] },
  }
  const open = await findings()
  expect(open.spf).toMatchObject({ reason: 'spf_none', ofServer: 'bounces.house.test' })
  expect(open.spf?.set[0]?.name).toBe('bounces.house.test')
  expect(open.mx).toMatchObject({ reason: 'mx_bounces', ofServer: 'bounces.house.test' })
  expect(open.dmarc).toMatchObject({ reason: 'dmarc_none', ofServer: null })

  dns.zone = {
    ...dns.zone,
    'lowwater.test': {},
    'bounces.house.test': { MX: [[10, 'news.lowwater.test']], TXT: ['v=spf1 ip4:93.184.215.7 -all'] },
  }
  const own = await findings()
  expect(own.spf).toMatchObject({ state: 'good', ofServer: 'bounces.house.test' })
  expect(own.mx).toMatchObject({ reason: 'mx_none', ofServer: null })
})
