import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('before it is sent, a page says which links lead nowhere, which colours are hard to read, and how large the mail is', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const linked = (text: string, href: string) => ({
    type: 'paragraph',
    content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }],
  })
  const pale = { type: 'text', text: 'Pale words', marks: [{ type: 'textStyle', attrs: { color: '#bbbbbb' } }] }
  const content = {
    type: 'doc',
    content: [
      linked('the harbour', 'http://127.0.0.1/harbour'),
      linked('who writes this', `${baseURL}/n/${newsletter.id}`),
      { type: 'paragraph', content: [pale] },
    ],
  }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const made = await page.request.post(api, { data: { title: 'Low tide', content }, headers })
  const { id } = (await made.json()) as { id: string }

  await page.goto(`/publish/create/${id}/send`)
  await expect(page.getByText(t('publish.reach.bad', { count: 1, n: '1' }))).toBeVisible()
  const lines = page.getByRole('listitem')
  await expect(lines.filter({ hasText: t('publish.reach.answer.no_host') }).first()).toContainText('the harbour')
  await page.getByText(t('publish.reach.all', { count: 2, n: '2' })).click()
  await expect(page.getByText(t('publish.reach.answer.own'))).toBeVisible()
  await expect(page.getByText(t('publish.check.low_contrast', { count: 1, n: '1' }))).toBeVisible()
  await expect(page.getByText('Aa', { exact: true })).toHaveCSS('color', 'rgb(187, 187, 187)')
  await expect(page.getByText(t('publish.size.fineText'))).toBeVisible()
  // It has no image and no heading, so there is no tick for either.
  await expect(page.getByText(t('publish.check.ok.subject'))).toBeVisible()
  await expect(page.getByText(t('publish.check.ok.images'))).toHaveCount(0)
  await expect(page.getByText(t('publish.check.ok.headings'))).toHaveCount(0)
  // The preview is the light mail, whatever scheme the writer's own system has.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  const cover = page.frameLocator('iframe').locator('picture img')
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\.wide\.png$/)
  // What leads nowhere is for its writer to judge.
  await expect(page.getByRole('button', { name: t('publish.pass.button') })).toBeVisible()

  const changed = { type: 'doc', content: [linked('who writes this', `${baseURL}/n/${newsletter.id}`)] }
  const { revision } = await (await page.request.get(`${api}/${id}`)).json()
  const saved = await page.request.patch(`${api}/${id}`, { data: { revision, content: changed }, headers })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.reload()
  await expect(page.getByText(t('publish.reach.all', { count: 1, n: '1' }))).toBeVisible()
  await expect(page.getByText(t('publish.reach.bad', { count: 1, n: '1' }))).toBeHidden()
})
