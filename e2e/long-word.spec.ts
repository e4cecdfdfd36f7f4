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
