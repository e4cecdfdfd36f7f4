import { studioPaths } from '../server/http/studio-paths.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('whoever leaves a form that is not saved is asked, and stays with every word or leaves', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.dashboard)
  const main = page.getByRole('navigation', { name: t('shell.main') })
  const away = main.getByRole('link', { name: t('shell.nav.publish') })
  const asks = page.getByRole('dialog', { name: t('unsaved.title') })
  const stay = asks.getByRole('button', { name: t('unsaved.stay') })
  await main.getByRole('link', { name: t('shell.nav.settings') }).click()
  const name = page.getByRole('textbox', { name: t('newsletters.name'), exact: true })

  // Typed back to what it was, it is no change.
  await name.fill('High Water')
  await name.fill('Low Water')
  await away.click()
  await expect(page).toHaveURL(studioPaths.publish)
  await page.goBack()

  await name.fill('High Water')
  await away.click()
  await expect(stay).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asks).toBeHidden()
  await expect(page).toHaveURL(studioPaths.generalSettings)
  await expect(name).toHaveValue('High Water')

  // Who stays has begun no publication.
  await page.getByRole('button', { name: t('shell.newPublication') }).click()
  await expect(stay).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(asks).toBeHidden()
  const begun = await (await page.request.get(`/api/newsletters/${id}/publications`)).json()
  expect(begun.rows).toEqual([])

  await page.goBack()
  await expect(stay).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(asks).toBeHidden()
  await expect(name).toHaveValue('High Water')
  await page.goBack()
  await asks.getByRole('button', { name: t('unsaved.leave') }).click()
  await expect(page).toHaveURL(studioPaths.dashboard)

  await page.goForward()
  await expect(name).toHaveValue('Low Water')
  await name.fill('High Water')
  await page.getByRole('button', { name: t('ui.save') }).click()
  await expect(page.getByText(t('ui.saved'), { exact: true })).toBeVisible()
  await away.click()
  await expect(page).toHaveURL(studioPaths.publish)
})

test('whoever opens another newsletter, or leaves a note that is not kept, is asked too', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const data = { name: 'High Water', language, timezone: 'Europe/Paris', currency: 'eur' }
  expect((await page.request.post('/api/newsletters', { data, headers })).ok()).toBe(true)
  const asks = page.getByRole('dialog', { name: t('unsaved.title') })
  const switcher = page.getByRole('button', { name: t('shell.switch') })
  const choose = async (name: string) => {
    await switcher.click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.goto(`${studioPaths.generalSettings}?newsletter=${id}`)
  const name = page.getByRole('textbox', { name: t('newsletters.name'), exact: true })
  await name.fill('Spring Tide')
  // The one that is open already.
  await choose('Low Water')
  await expect(asks).toBeHidden()
  await choose('High Water')
  await asks.getByRole('button', { name: t('unsaved.stay') }).click()
  await expect(asks).toBeHidden()
  await expect(name).toHaveValue('Spring Tide')
  await choose('High Water')
  await asks.getByRole('button', { name: t('unsaved.leave') }).click()
  await expect(name).toHaveValue('High Water')
  await choose('Low Water')
  await expect(name).toHaveValue('Low Water')

  const someone = { email: uniqueAddress('reader'), language }
  const added = await page.request.post(`/api/newsletters/${id}/subscribers`, { data: someone, headers })
  expect(added.ok(), await added.text()).toBe(true)
  const { rows } = await (await page.request.get(`/api/newsletters/${id}/subscribers`)).json()
  await page.goto(`/subscribers/${rows[0].id}`)
  const note = page.getByRole('textbox', { name: t('subscribers.detail.writeNote') })
  await note.fill('Prefers the short letters')
  const main = page.getByRole('navigation', { name: t('shell.main') })
  await main.getByRole('link', { name: t('shell.nav.publish') }).click()
  await asks.getByRole('button', { name: t('unsaved.stay') }).click()
  await expect(note).toHaveValue('Prefers the short letters')
  await page.getByRole('button', { name: t('subscribers.detail.keepNote') }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Prefers the short letters' })).toBeVisible()
  // The other newsletter has no such person: it opens on its list.
  await note.fill('Writes back')
  await choose('High Water')
  await asks.getByRole('button', { name: t('unsaved.leave') }).click()
  await expect(page).toHaveURL(studioPaths.subscribers)
  await expect(switcher).toContainText('High Water')
  await choose('Low Water')
  await expect(switcher).toContainText('Low Water')
  await expect(page).toHaveURL(studioPaths.subscribers)
  await page.goto(`/subscribers/${rows[0].id}`)
  await choose('High Water')
  await expect(page).toHaveURL(studioPaths.subscribers)
  await choose('Low Water')
  await expect(page.getByText(someone.email)).toBeVisible()
  await page.goto(`/subscribers/${rows[0].id}`)
  await main.getByRole('link', { name: t('shell.nav.publish') }).click()
  await expect(page).toHaveURL(studioPaths.publish)
})

test('what is typed while a form is being saved stays, and counts as not saved', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.generalSettings)
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/newsletters/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  const name = page.getByRole('textbox', { name: t('newsletters.name'), exact: true })
  await name.fill('High Water')
  await page.getByRole('button', { name: t('ui.save') }).click()
  await name.fill('Spring Tide')
  held.resolve()
  await expect(page.getByText(t('ui.saved'), { exact: true })).toBeVisible()
  await page
    .getByRole('navigation', { name: t('shell.main') })
    .getByRole('link', { name: t('shell.nav.publish') })
    .click()
  await page
    .getByRole('dialog', { name: t('unsaved.title') })
    .getByRole('button', { name: t('unsaved.stay') })
    .click()
  await expect(name).toHaveValue('Spring Tide')
})

test('whoever leaves for a new publication gets one, and going back makes no other', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.generalSettings)
  await page.getByRole('textbox', { name: t('newsletters.name'), exact: true }).fill('High Water')
  await page.getByRole('button', { name: t('shell.newPublication') }).click()
  await page
    .getByRole('dialog', { name: t('unsaved.title') })
    .getByRole('button', { name: t('unsaved.leave') })
    .click()
  await expect(page).toHaveURL(/\/publish\/create\/[^/]+$/)
  await page.goBack()
  await expect(page).toHaveURL(studioPaths.publish)
  await expect(page.getByRole('link', { name: t('ui.untitled') })).toHaveCount(1)
  const { rows } = await (await page.request.get(`/api/newsletters/${id}/publications`)).json()
  expect(rows).toHaveLength(1)
})

test('a tab that would close with changes is asked by the browser, and one without is not', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.generalSettings)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const name = page.getByRole('textbox', { name: t('newsletters.name'), exact: true })
  await name.click()
  await page.reload()
  expect(asked).toEqual([])
  // A browser asks only who has touched the page.
  await name.click()
  await name.fill('High Water')
  await page.reload()
  await expect(name).toHaveValue('Low Water')
  expect(asked).toEqual(['beforeunload'])
})

test('a segment leads on once it is saved, and one that is deleted asks only about that', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const asks = page.getByRole('dialog', { name: t('unsaved.title') })
  await page.goto('/subscribers/segments/new')
  await page.getByLabel(t('segments.name'), { exact: true }).fill('Readers')
  await page.getByRole('combobox', { name: t('segments.value') }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: t('segments.save') }).click()
  await expect(page).toHaveURL(/segments\/\d+$/)
  await expect(page.getByRole('button', { name: t('segments.delete') })).toBeVisible()

  const name = page.getByLabel(t('segments.name'), { exact: true })
  await name.fill('Friends')
  await page
    .getByRole('navigation', { name: t('shell.crumbs') })
    .getByRole('link', { name: t('shell.titles.segments') })
    .click()
  await asks.getByRole('button', { name: t('unsaved.stay') }).click()
  await expect(name).toHaveValue('Friends')
  await page.getByRole('button', { name: t('segments.delete') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('segments.delete') })
    .click()
  await expect(page).toHaveURL('/subscribers/segments')
})
