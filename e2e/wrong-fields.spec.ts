import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'

/** That a field is seen, heard and reached as the one that is wrong, with this sentence. */
async function expectMarked(field: Locator, sentence: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
}

const alerts = (page: Page) => page.getByRole('alert')

test('signing up says which fields are wrong, and goes on once they are mended', async ({ page, t }) => {
  const owner = newOwner()
  await page.goto('/signup')
  const email = page.getByLabel(t('identity.email'))
  const password = page.getByLabel(t('identity.password'), { exact: true })
  const submit = page.getByRole('button', { name: t('identity.signUp.submit') })
  await submit.click()
  const name = page.getByLabel(t('identity.name'), { exact: true })
  await expectMarked(name, t('errors.fields.required'))
  await expect(name).toBeFocused()

  await name.fill(owner.name)
  await email.fill('ines@lowwater')
  await password.fill('password12')
  await submit.click()
  await expectMarked(email, t('errors.fields.not_an_email'))
  await expectMarked(password, t('errors.fields.password_common'))
  await expect(email).toBeFocused()
  await expect(name).not.toHaveAttribute('aria-invalid')
  await expect(alerts(page)).toHaveCount(0)
  await expect(email).toHaveValue('ines@lowwater')

  await email.fill(owner.email)
  await expect(email).not.toHaveAttribute('aria-invalid')
  await password.fill(owner.password)
  await submit.click()
  await expect(page.getByRole('heading', { name: t('identity.signUp.title') })).toBeHidden()
})

test('the buttons for a link by mail mark the address', async ({ page, t }) => {
  await page.goto('/login')
  const email = page.getByLabel(t('identity.email'))
  await page.getByRole('button', { name: t('identity.login.link'), exact: true }).click()
  await expectMarked(email, t('identity.login.linkNeedsEmail'))
  await expect(email).toBeFocused()
  await email.fill('ines@lowwater')
  await page.getByRole('button', { name: t('identity.login.link'), exact: true }).click()
  await expectMarked(email, t('errors.fields.not_an_email'))

  await page.goto('/forgot')
  await page.getByLabel(t('identity.email')).fill('ines@lowwater')
  await page.getByRole('button', { name: t('identity.forgot.submit') }).click()
  await expectMarked(page.getByLabel(t('identity.email')), t('errors.fields.not_an_email'))
})

test('a setting that is taken is said at its field, and a relay’s host at its own', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/general')
  const handle = page.getByLabel(t('newsletters.general.handle'))
  await handle.fill('login')
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expectMarked(handle, t('errors.slug_reserved'))
  await expect(handle).toBeFocused()
  await expect(alerts(page)).toHaveCount(0)

  await page.goto('/settings/relays')
  await page.getByRole('button', { name: t('relays.ui.add') }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel(t('relays.ui.name'), { exact: true }).fill('Main')
  const host = drawer.getByLabel(t('relays.ui.host'))
  await host.fill('mail.example.org/x')
  await drawer.getByRole('button', { name: t('relays.ui.add') }).click()
  await expect(host).toHaveAttribute('aria-invalid', 'true')
  await expect(host).toBeFocused()
  await expect(drawer).not.toContainText('way.')
})
