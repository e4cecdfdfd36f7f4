import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { afterEach, expect, test } from 'vitest'
import { examine } from '../doctor.ts'
import { startTestDns, type TestDns, type Zone } from '../testing/dns.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { translator } from '../translator.ts'
import { domainCommand } from './command.ts'
import { listKeys } from './dkim-keys.ts'
import { recordName, recordText } from './dkim-record.ts'

const t = translator('en')
const open: { stop(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

interface House {
  server: TestNewsletter
  relay: RecordingRelay
  dns: TestDns
  command(...args: string[]): Promise<string>
  /** What `doctor` says, by what it is about. */
  doctor(): Promise<Record<string, string>>
  /** The mail of somebody who asks for a link to sign in. */
  signInMail(): Promise<string>
}

async function openHouse(mailFrom = 'Maison <bonjour@house.test>'): Promise<House> {
  const [relay, dns] = [await startRecordingRelay(), await startTestDns()]
  open.push(relay, dns)
  const settings = {
    MAIL_FROM: mailFrom,
    SMTP_URL: relay.url,
    DNS_SERVERS: dns.server,
    PUBLIC_URL: 'https://news.house.test',
  }
  const server = await startTestNewsletter(settings)
  open.push(server)
  const { config, pool } = server.context
  return {
    server,
    relay,
    dns,
    async command(...args) {
      const lines: string[] = []
      await domainCommand(server.context, args, { t, say: (line) => lines.push(line) })
      return lines.join('\n')
    },
    async doctor() {
      const env = { ...settings, DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString }
      const findings = await examine(env, t)
      return Object.fromEntries(findings.map(({ about, state, finding }) => [about, `${state}: ${finding}`]))
    },
    async signInMail() {
      relay.received.length = 0
      const asked = await server.stranger('POST', '/api/auth/sign-in/magic-link', { email: 'ines@example.org' })
      expect(asked.statusCode, asked.body).toBe(200)
      await server.work()
      return relay.received.find(({ to }) => to === 'ines@example.org')?.raw ?? ''
    },
  }
}

const zone = (keys: Zone = {}): Zone => ({
  'house.test': { TXT: ['v=spf1 ip4:93.184.215.7 -all'], MX: [[10, 'mx.house.test']] },
  'mx.house.test': { A: ['93.184.215.9'] },
  '_dmarc.house.test': { TXT: ['v=DMARC1; p=quarantine'] },
  'news.house.test': { A: ['93.184.215.7'] },
  '7.215.184.93.in-addr.arpa': { PTR: ['news.house.test'] },
  ...keys,
})

const keyRecords = async ({ server }: House): Promise<Zone> =>
  Object.fromEntries(
    (await listKeys(server.context.db, null)).map((key) => [
      recordName(key),
      { TXT: [recordText({ algorithm: key.algorithm, publicKey: key.public_key })] },
    ]),
  )

test('sign-in links come from MAIL_FROM, and are signed from the moment at which DNS has the keys', async () => {
  const house = await openHouse()
  const before = await house.signInMail()
  expect(before).toMatch(/^From: "?Maison"? <bonjour@house\.test>\r?$/m)
  expect(before).not.toContain('DKIM-Signature')

  expect(await house.command()).toContain('npm run tirage -- domain keys')
  const made = await house.command('keys')
  expect(made.match(/_domainkey\.house\.test\. 3600 IN TXT/g)?.length).toBeGreaterThanOrEqual(2)
  expect(made).toContain('Waits for its record')
  expect(await house.signInMail()).not.toContain('DKIM-Signature')

  const records = await keyRecords(house)
  house.dns.zone = zone(records)
  expect(await house.command()).toContain(': Signs')
  const signed = await house.signInMail()
  const resolver = async (name: string) => {
    const entry = records[name]
    if (typeof entry !== 'object') throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return [entry.TXT ?? []]
  }
  const { results } = await dkimVerify(signed, { resolver } as Parameters<typeof dkimVerify>[1])
  expect(results.map(({ status }) => status.result)).toEqual(['pass', 'pass'])
})

test('the keys of the instance sign no newsletter, even one with an address in its domain', async () => {
  const house = await openHouse()
  await house.command('keys')
  house.dns.zone = zone(await keyRecords(house))
  await house.command()
  const { server, relay } = house
  const { db } = server.context
  await db.updateTable('newsletter').set({ sender_address: 'admin@house.test' }).execute()
  // The only way to such an address: it is an owner's own.
  await db.updateTable('user').set({ email: 'admin@house.test' }).where('id', '=', server.owner.userId).execute()
  const { id } = await server.draft()
  relay.received.length = 0
  await server.owner.call('POST', `${server.path}/publications/${id}/test`, {})
  await server.work()
  expect(relay.received.length).toBeGreaterThan(0)
  for (const { raw } of relay.received) expect(raw).not.toContain('DKIM-Signature')
  expect((await server.owner.call('GET', `${server.path}/domain`)).json().keys).toEqual([])
})

test('doctor checks SPF, DKIM and DMARC of the sender, and changes nothing', async () => {
  const house = await openHouse()
  house.dns.zone = {}
  const nothing = await house.doctor()
  expect(nothing.sender).toBe('good: bonjour@house.test')
  expect([nothing.SPF, nothing.DKIM, nothing.DMARC].map((line) => line?.split(':')[0])).toEqual([
    'note',
    'note',
    'note',
  ])
  await house.command('keys')
  house.dns.zone = zone(await keyRecords(house))
  const seen = await house.doctor()
  expect(seen.SPF).toMatch(/^good: This record is the list/)
  expect(seen.DKIM).toMatch(/^(good|note): /)
  const keys = await listKeys(house.server.context.db, null)
  expect(keys.map(({ active_at }) => active_at)).toEqual([null, null])
  await house.command()
  const whole = await house.doctor()
  expect([whole.SPF, whole.DKIM, whole.DMARC].map((line) => line?.split(':')[0])).toEqual(['good', 'good', 'good'])
  house.dns.zone = { ...zone(await keyRecords(house)), 'house.test': { TXT: ['v=spf1 +all'] } }
  expect((await house.doctor()).SPF).toMatch(/^BAD|^bad/)
})

test('a sender of a mailbox provider, or of no domain, is said, and gets no keys', async () => {
  const house = await openHouse('somebody@gmail.com')
  expect((await house.doctor()).sender).toMatch(/^note: somebody@gmail.com belongs to its provider/)
  await expect(house.command('keys')).rejects.toThrow(/MAIL_FROM/)
  expect(await house.command()).toContain('gmail.com belongs to its provider')
  await expect(house.command('explode')).rejects.toThrow(/domain explode/)
})

test('eight keys are enough, also when they are asked for at the same time', async () => {
  const house = await openHouse()
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => house.command('keys')))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(await listKeys(house.server.context.db, null)).toHaveLength(8)
})
