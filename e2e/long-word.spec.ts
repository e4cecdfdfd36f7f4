import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('a name of one very long word makes no public page wider than a phone', async ({ page, language, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await createNewsletter(page, baseURL, language)
  const changed = await page.request.patch(`/api/newsletters/${id}`, {
    data: { name: 'Q'.repeat(120) },
    headers: { origin: baseURL ?? '' },
  })
  expect(changed.ok(), await changed.text()).toBe(true)
  for (const path of [`/subscribe/${id}`, `/plans/${id}`, `/n/${id}`]) {
    await page.goto(path)
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
  }
})

test('the name on the page to subscribe breaks within no word on a phone', async ({ page, language, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await createNewsletter(page, baseURL, language)
  const changed = await page.request.patch(`/api/newsletters/${id}`, {
    data: { name: 'L’Éclusière', pairing: 'registre' },
    headers: { origin: baseURL ?? '' },
  })
  expect(changed.ok(), await changed.text()).toBe(true)
  await page.goto(`/subscribe/${id}`)
  const heading = page.getByRole('heading', { level: 1 })
  const lines = () =>
    heading.evaluate((h1) => {
      const range = document.createRange()
      range.selectNodeContents(h1)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
  await expect.poll(lines).toBe(1)
})
