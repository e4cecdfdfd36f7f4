import { readdirSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

let site: Server
let origin: string
let content = ''
let policy = ''

/** A site of somebody else: another host, port and policy. */
test.beforeAll(async () => {
  site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(
      `<!doctype html><html lang="en"><title>Chantier Le Mao</title><main><h1>Boats, ropes</h1>${content}</main>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
test.afterAll(() => new Promise((resolve) => site.close(resolve)))

/** Copies the form from the settings into the site. */
async function copyForm(page: Page, scripted: boolean): Promise<void> {
  await page.goto('/settings/subscribing')
  await expect(page.locator('pre')).toHaveCount(2)
  const [html = '', script = ''] = await page.locator('pre').allTextContents()
  content = html + (scripted ? script : '')
  const house = new URL(page.url()).origin
  policy = `default-src 'none'; form-action ${house}; script-src ${house}; connect-src ${house}`
}

test('a form on another site answers in place, in its language, under a strict policy and under pressure', async ({
  page: owner,
  browser,
  t,
  language,
  locale,
  baseURL,
}) => {
  const { id } = await createNewsletter(owner, baseURL, language)
  await copyForm(owner, true)
  // A header of the test's own would make each request one that browsers ask leave for.
  const context = await browser.newContext({ ...(locale && { locale }), extraHTTPHeaders: {} })
  const page = await context.newPage()
  const refused: string[] = []
  await page.goto(origin)
  page.on(
    'console',
    (message) => message.type() === 'error' && !message.text().includes('422') && refused.push(message.text()),
  )
  const email = page.getByLabel(t('subscribers.page.email'))
  const local = uniqueAddress('embed').split('@')[0] ?? ''
  await email.fill(`${local}@gmial.com`)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await expect(page.getByRole('status')).toContainText(
    t('subscribers.page.meant.ask', { address: `${local}@gmail.com` }),
  )
  await expect(email).toBeFocused()
  await page.getByRole('button', { name: t('subscribers.page.meant.yes', { address: `${local}@gmail.com` }) }).click()
  await expect(page.getByRole('status')).not.toContainText('gmail.com')
  await expect(email).toHaveValue('')

  // More than usual, from many networks.
  for (let at = 0; at < 61; at += 1)
    await owner.request.post(`${baseURL}/subscribe/${id}`, {
      form: { email: `e${at}@example.org`, consent: 'yes', language },
      headers: { 'x-forwarded-for': `198.51.100.${at}` },
      maxRedirects: 0,
    })
  await email.fill(uniqueAddress('embed-pressed'))
  await page.getByRole('checkbox').check()
  await email.press('Enter')
  await expect(email).toHaveValue('')
  expect(page.url()).toBe(`${origin}/`)
  expect(refused).toEqual([])
  await context.close()
})

test('without the script, and where a site’s policy holds the script back, the form leads to our page', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await copyForm(page, true)
  policy = policy.replace(/connect-src .*/, "connect-src 'none'")
  for (const browser of [subscriber, page]) {
    await browser.goto(origin)
    await browser.getByLabel(t('subscribers.page.email')).fill(uniqueAddress('embed-plain'))
    await browser.getByRole('checkbox').check()
    await browser.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
    await expect(browser.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
    expect(new URL(browser.url()).origin).toBe(baseURL)
  }
})

test('the script is under 3 kB', () => {
  const folder = join(import.meta.dirname, '..', 'dist', 'studio', 'static')
  const built = readdirSync(folder).filter((name) => /^embed-.*\.js\.(gz|br)$/.test(name))
  expect(built).toHaveLength(2)
  for (const name of built) expect(statSync(join(folder, name)).size).toBeLessThan(3_000)
})
