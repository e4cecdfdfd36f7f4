import { studioPaths } from '../server/http/studio-paths.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('shortcuts of a single key are turned off in the profile, where the help leads', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const data = { email: uniqueAddress('keys') }
  await page.request.post(`/api/newsletters/${id}/subscribers`, { data, headers })
  const made: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/publications')) made.push(request.url())
  })
  await page.goto(studioPaths.help)
  const keys = page.getByRole('region', { name: t('help.part.keys') })
  await expect(keys.getByText(t('shell.newPublication'))).toBeVisible()
  await keys.getByRole('link').click()
  const single = page.getByRole('switch', { name: t('identity.profile.singleKeys') })
  await expect(single).toBeChecked()
  const saved = page.waitForResponse('**/api/me/profile')
  await single.click({ force: true })
  await saved
  await expect(single).not.toBeChecked()
  await page.goBack()
  await expect(keys.getByText(t('shell.newPublication'))).toBeHidden()
  await page.keyboard.press('c')

  await page.goto(`${studioPaths.subscribers}?sort=joined`)
  const search = page.getByRole('searchbox', { name: t('subscribers.search') })
  await expect(search).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
  const says = page.getByText(t('subscribers.list.slash'))
  await expect(page.getByText(t('subscribers.list.keys'))).toBeVisible()
  await expect(says).toBeHidden()

  await page.request.patch('/api/me/profile', { data: { singleKeys: true }, headers })
  await page.reload()
  await expect(search).toBeVisible()
  await expect(says).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  expect(made).toEqual([])
})
