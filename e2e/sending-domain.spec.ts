import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestDns, type TestDns } from '../server/testing/dns.ts'
import { copyMadeDataFolder } from '../server/testing/made-data-folder.ts'
import { test as base, expect } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { type RunningServer, startServer } from './server.ts'

/** A server that asks a name server of its own. */
const test = base.extend<object, { running: RunningServer & { dns: TestDns } }>({
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from the pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'tirage-domain-'))
      copyMadeDataFolder(dataDir)
      const dns = await startTestDns()
      const server = await startServer(dataDir, { DNS_SERVERS: dns.server, PRIVATE_RELAYS: 'true' })
      await use({ ...server, dns })
      await server.stop()
      await dns.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ running }, use) => use(running.url),
})

test('before sending, the pre-flight says which records of the sending domain are missing, and leads to them', async ({
  page,
  t,
  language,
  baseURL,
  running: { dns },
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const domain = `harbour-${language}.example`
  const senderAddress = `ines@${domain}`
  const changed = await page.request.patch(`/api/newsletters/${id}`, { data: { senderAddress }, headers })
  expect(changed.ok(), await changed.text()).toBe(true)
  // Without one, mail is caught and no receiver checks its domain. It is never connected to.
  const way = { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null }
  const added = await page.request.post(`/api/newsletters/${id}/relays`, { data: { name: 'Harbour', way }, headers })
  expect(added.ok(), await added.text()).toBe(true)
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low.' }] }] }
  const data = { title: 'Low tide', content }
  const made = await page.request.post(`/api/newsletters/${id}/publications`, { data, headers })
  const publication = (await made.json()) as { id: string }
  dns.zone[domain] = { TXT: ['v=spf1 ip4:192.0.2.9 -all'], MX: [[10, `mx.${domain}`]] }
  dns.zone[`mx.${domain}`] = { A: ['192.0.2.9'] }

  await page.goto(`/publish/create/${publication.id}/send`)
  const line = page.getByRole('listitem').filter({ hasText: t('domain.flight.lacking') })
  await expect(line).toContainText(domain)
  await expect(line).toContainText('DKIM')
  await expect(line).toContainText('DMARC')
  await line.getByRole('link', { name: t('domain.flight.see') }).click()
  await expect(page).toHaveURL(/\/settings\/domain$/)
  await expect(page.getByText(`_dmarc.${domain}`).first()).toBeVisible()
  await expect(page.getByText(/v=DMARC1/).first()).toBeVisible()
})
