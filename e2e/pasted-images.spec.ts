import sharp from 'sharp'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('pasted images become images of the newsletter, those that cannot be fetched are named, and no other address is saved', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const api = `/api/newsletters/${id}/publications`
  const headers = { origin: baseURL ?? '' }
  const { id: draft } = await (await page.request.post(api, { data: { title: 'A draft' }, headers })).json()
  const saved = async () => (await page.request.get(`${api}/${draft}`)).text()
  const data = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#0c5c5a' } })
    .png()
    .toBuffer()
  // The other server answers one image after the writer has seen that it is fetched; the real server does not reach it.
  const uploaded = await page.request.post(`/api/newsletters/${id}/media`, {
    headers,
    multipart: { file: { name: 'tide.png', mimeType: 'image/png', buffer: data } },
  })
  const media = await uploaded.json()
  const answer = Promise.withResolvers<void>()
  await page.route('**/media/fetch', async (route) => {
    if (!route.request().postData()?.includes('example.org/tide.png')) return route.continue()
    await answer.promise
    await route.fulfill({ json: media })
  })
  await page.route('https://example.org/**', (route) => route.abort())
  await page.goto(`/publish/create/${draft}`)
  const editor = new EditorScreen(page, t)
  await editor.text.click()
  await editor.paste(
    `<p>Before.</p><img src="https://example.org/tide.png" alt="The tide"><p>Between.</p>
     <img src="http://127.0.0.1/secret.png"><img src="file:///C:/boats.png">
     <img src="data:image/png;base64,${data.toString('base64')}" alt="A field"><p>After.</p>`,
  )
  await expect(editor.text).toContainText(t('editor.pasted.fetching', { host: 'example.org' }))
  await expect.poll(saved).toContain('Before.')
  expect(await saved()).not.toMatch(/example\.org|127\.0\.0\.1|file:|pasted:/)
  answer.resolve()

  const notice = page.getByRole('alert').filter({ hasText: t('editor.pasted.lost', { count: 2 }) })
  await expect(notice).toContainText('secret.png')
  await expect(notice).toContainText('127.0.0.1')
  await expect(notice).toContainText(t('editor.pasted.notThere'))
  await expect(editor.text.locator('figure img')).toHaveCount(2)
  await expect(editor.text.locator('[data-uploading]')).toHaveCount(0)
  await expect(editor.text.getByAltText('The tide')).toHaveAttribute('src', media.url)
  await expect.poll(saved).toContain('A field')
  expect(await saved()).not.toMatch(/example\.org|127\.0\.0\.1|file:|pasted:/)
  await expect(editor.text).toContainText('Before.Between.After.')

  // To take the paste back and to do it again asks for nothing twice.
  await editor.text.focus()
  await editor.press('Control+z')
  await expect(editor.text.locator('figure')).toHaveCount(0)
  await editor.press('Control+Shift+z')
  await expect(editor.text.getByAltText('The tide')).toHaveAttribute('src', media.url)
  await expect(editor.text.locator('figure img')).toHaveCount(2)
})

test('an image by its address is fetched too, and a refusal is said at the field', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const api = `/api/newsletters/${id}/publications`
  const made = await page.request.post(api, { data: { title: 'A draft' }, headers: { origin: baseURL ?? '' } })
  await page.goto(`/publish/create/${(await made.json()).id}`)
  await page.getByRole('button', { name: t('editor.tool.image'), exact: true }).click()
  const form = page.getByRole('dialog', { name: t('editor.tool.image') })
  await form.getByLabel(t('editor.tool.imageAddress')).fill('http://169.254.169.254/latest/a.png')
  await form.getByRole('button', { name: t('editor.tool.insert') }).click()
  await expect(form).toContainText('169.254.169.254')
  await expect(form.getByLabel(t('editor.tool.imageAddress'))).toHaveAttribute('aria-invalid', 'true')
})
