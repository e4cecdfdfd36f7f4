import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

interface Stored {
  url: string
  width: number
  height: number
  mime: string
}

/** Chooses a logo, and answers what the server stored of it and how large the file was that travelled. */
async function uploadLogo(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  const uploading = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/media'))
  await page.locator('input[type="file"]').setInputFiles(file)
  const request = await uploading
  const answer = await request.response()
  const { requestBodySize } = await request.sizes()
  return { status: answer?.status(), stored: (await answer?.json()) as Stored, travelled: requestBodySize }
}

test('a photograph of 12,000 × 9,000 pixels, held upright, is made smaller in the browser', async ({
  page,
  language,
  baseURL,
}) => {
  test.setTimeout(180_000)
  await createNewsletter(page, baseURL, language)
  // Red on its left and green on its right. Held upright (orientation 6), red is above.
  const right = await sharp({ create: { width: 6_000, height: 9_000, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const buffer = await sharp({ create: { width: 12_000, height: 9_000, channels: 3, background: '#ff0000' } })
    .composite([{ input: right, left: 6_000, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  await page.goto('/settings/branding')
  const { status, stored, travelled } = await uploadLogo(page, { name: 'boats.jpg', mimeType: 'image/jpeg', buffer })
  expect([status, stored.mime]).toEqual([200, 'image/jpeg'])
  expect(stored.width / stored.height).toBeCloseTo(0.75, 2)
  expect(stored.width).toBe(1600)
  expect(travelled).toBeLessThan(3_000_000)
  const kept = sharp(await (await page.request.get(stored.url)).body())
  const { data, info } = await kept.raw().toBuffer({ resolveWithObject: true })
  const at = (share: number) => {
    const from = (Math.floor(info.height * share) * info.width + Math.floor(info.width / 2)) * info.channels
    return [data[from] ?? 0, data[from + 1] ?? 0]
  }
  expect(at(0.1)[0]).toBeGreaterThan(200)
  expect(at(0.9)[1]).toBeGreaterThan(200)
})

test('what is transparent stays so, what moves is left alone, and a refusal names the limit', async ({
  page,
  language,
  baseURL,
}) => {
  test.setTimeout(180_000)
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/branding')
  const clear = await sharp({
    create: { width: 9_000, height: 3_000, channels: 4, background: { r: 12, g: 92, b: 90, alpha: 0.5 } },
  })
    .png()
    .toBuffer()
  const drawing = await uploadLogo(page, { name: 'clear.png', mimeType: 'image/png', buffer: clear })
  expect(drawing.stored).toMatchObject({ mime: 'image/png', width: 1600 })
  const { data, info } = await sharp(await (await page.request.get(drawing.stored.url)).body())
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.channels, data[3]]).toEqual([4, 128])

  const frames = Buffer.concat([Buffer.alloc(40 * 20 * 3, 0), Buffer.alloc(40 * 20 * 3, 255)])
  const moving = sharp(frames, { raw: { width: 40, height: 40, channels: 3, pageHeight: 20 } })
  for (const [type, buffer] of [
    ['webp', await moving.clone().webp().toBuffer()],
    ['gif', await moving.clone().gif().toBuffer()],
  ] as const) {
    const { stored } = await uploadLogo(page, { name: `a.${type}`, mimeType: `image/${type}`, buffer })
    expect(stored).toMatchObject({ mime: 'image/gif', width: 40, height: 20 })
  }

  const heavy = Buffer.concat([await moving.clone().gif().toBuffer(), Buffer.alloc(11 * 1024 * 1024)])
  const refused = await uploadLogo(page, { name: 'heavy.gif', mimeType: 'image/gif', buffer: heavy })
  expect(refused.status).toBe(413)
  await expect(page.getByRole('alert')).toContainText('10')
})

test('the page of images shows the room, where each is used, and deletes one after saying what is lost', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/branding')
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#0c5c5a' } })
    .png()
    .toBuffer()
  await uploadLogo(page, { name: 'boats.png', mimeType: 'image/png', buffer })
  await expect(page.getByAltText(t('newsletters.branding.logo')).first()).toBeVisible()
  await page.getByRole('button', { name: t('ui.save') }).click()
  await expect(page.getByText(t('ui.saved'))).toBeVisible()
  await page.goto('/settings/images')
  await expect(page.getByText(t('media.files', { used: 1, most: 100 })).first()).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: 'boats.png' })
  await expect(row).toContainText(t('media.logo'))
  await row.getByRole('button', { name: t('media.deleteOf', { name: 'boats.png' }) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('media.lossOut'))
  await dialog.getByRole('button', { name: t('media.delete') }).click()
  await expect(page.getByText(t('media.none'))).toBeVisible()
})
