import { studioPaths } from '../server/http/studio-paths.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('on a phone the settings are a list that leads to each of their pages, and each has a way back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: t('shell.menu') }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('shell.nav.settings'), exact: true })
    .click()
  const list = page.getByRole('main').getByRole('list')
  const names = [
    'general',
    'branding',
    'images',
    'sender',
    'subscribing',
    'relays',
    'domain',
    'members',
    'keys',
    'audit',
  ] as const
  await expect(list.getByRole('listitem')).toHaveCount(names.length)
  for (const name of names) {
    await list
      .getByRole('link', { name: t(`shell.settings.${name}`) })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t(`shell.settings.${name}`))
    const back = page
      .getByRole('navigation', { name: t('shell.crumbs') })
      .getByRole('link', { name: t('shell.nav.settings') })
    expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await back.click()
    await expect(page).toHaveURL(studioPaths.settings)
    await expect(page).toHaveTitle(new RegExp(`^${t('shell.nav.settings')}`))
  }
})

test('beside the sidebar, which lists them, the settings open with the first page', async ({
  page,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.settings)
  await expect(page).toHaveURL(studioPaths.generalSettings)
})
