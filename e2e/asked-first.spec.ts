import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { confirmAddress, createNewsletter, newOwner } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

/** What the page asked for that was not there. */
function notFound(page: Page): string[] {
  const urls: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) urls.push(response.url())
  })
  return urls
}

async function addByHand(page: Page, api: string, headers: Record<string, string>): Promise<string> {
  const email = uniqueAddress('reader')
  const added = await page.request.post(`${api}/subscribers`, { data: { email, language: 'en' }, headers })
  expect(added.ok(), await added.text()).toBe(true)
  return email
}

for (const where of ['drawer', 'page'] as const)
  test(`unsubscribing somebody is asked first, and whoever is erased is asked for no more: ${where}`, async ({
    page,
    t,
    language,
    baseURL,
  }) => {
    const { id } = await createNewsletter(page, baseURL, language)
    const api = `/api/newsletters/${id}`
    const headers = { origin: baseURL ?? '' }
    const email = await addByHand(page, api, headers)
    const missing = notFound(page)
    await page.goto('/subscribers')
    await page.getByRole('button', { name: email }).click()
    if (where === 'page') await page.getByRole('link', { name: t('subscribers.detail.open') }).click()
    const screen = page.getByRole(where === 'page' ? 'main' : 'dialog')
    const unsubscribe = screen.getByRole('button', { name: t('subscribers.unsubscribe') })
    await unsubscribe.click()
    const question = page.getByRole('dialog', { name: t('subscribers.unsubscribeAsk', { email }) })
    await expect(question).toContainText(t('subscribers.unsubscribeText'))
    await question.getByRole('button', { name: t('ui.cancel') }).click()
    await expect(question).toBeHidden()
    await expect(unsubscribe).toBeVisible()
    await unsubscribe.click()
    await question.getByRole('button', { name: t('subscribers.unsubscribe'), exact: true }).click()
    await expect(page.getByText(t('subscribers.unsubscribeDone', { email }))).toBeVisible()
    await expect(unsubscribe).toHaveCount(0)

    // What is typed about whoever is erased has nowhere to go.
    if (where === 'page') await page.getByRole('textbox', { name: t('subscribers.detail.writeNote') }).fill('Met once')
    await screen.getByRole('button', { name: `${t('subscribers.erase')}…` }).click()
    await page
      .getByRole('dialog', { name: t('subscribers.eraseAsk', { email }) })
      .getByRole('button', { name: t('subscribers.erase'), exact: true })
      .click()
    await expect(page.getByText(t('subscribers.eraseDone'))).toBeVisible()
    await expect(page).toHaveURL(/\/subscribers$/)
    await expect(page.getByText(t('subscribers.nobody'))).toBeVisible()
    // The news of the next one comes after that of the erasure.
    const next = await addByHand(page, api, headers)
    await expect(page.getByRole('button', { name: next })).toBeVisible()
    expect(missing).toEqual([])
  })

test('whoever must prove who they are types their password at once, although its field comes a moment later', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.route(`**/api/newsletters/${id}/api-keys`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error: { code: 'proof_needed', message: '' } } })
      : route.continue(),
  )
  const { promise: opened, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/me/proof', async (route) => {
    if (route.request().method() === 'GET') await opened
    await route.continue()
  })
  await page.goto('/settings/keys')
  await page.getByLabel(t('newsletters.keys.name')).fill('The shop')
  await page.getByRole('button', { name: t('newsletters.keys.make') }).click()
  const dialog = page.getByRole('dialog', { name: t('identity.proof.title') })
  // The cross, which Mantine begins at.
  await expect(dialog.getByRole('button').first()).toBeFocused()
  answer()
  await expect(dialog.getByLabel(t('identity.password'), { exact: true })).toBeFocused()
})

test('who is signed out while they write reads that their words are kept, signs in, and has them again', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const draft = await page.request.post(`/api/newsletters/${id}/publications`, {
    data: { title: '', content },
    headers,
  })
  const { id: publicationId } = (await draft.json()) as { id: string }
  const { user } = await (await page.request.get('/api/me')).json()
  await confirmAddress(page, t, user)
  const path = `/publish/create/${publicationId}`
  await page.goto(path)
  const title = page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })
  await title.fill('Before')
  await expect
    .poll(
      async () => (await (await page.request.get(`/api/newsletters/${id}/publications/${publicationId}`)).json()).title,
    )
    .toBe('Before')

  const out = await page.request.post('/api/auth/sign-out', { data: {}, headers })
  expect(out.ok(), await out.text()).toBe(true)
  await title.fill('Written while signed out')
  const notice = page.getByRole('alert').filter({ hasText: t('editor.save.signedOut') })
  await expect(notice).toBeVisible()
  await expect(notice.getByRole('button', { name: t('ui.retry') })).toHaveCount(0)
  await notice.getByRole('button', { name: t('ui.signIn') }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel(t('identity.email')).fill(user.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(newOwner().password)
  await page.getByRole('button', { name: t('identity.login.submit'), exact: true }).click()
  await expect(page).toHaveURL(path)
  await expect(title).toHaveValue('Written while signed out')
  await expect
    .poll(
      async () => (await (await page.request.get(`/api/newsletters/${id}/publications/${publicationId}`)).json()).title,
    )
    .toBe('Written while signed out')
})
