import type { Page } from '@playwright/test'
import { codeAt, stepAt } from '../server/identity/totp.ts'
import type { Translate } from '../server/translator.ts'
import { expect, test } from './fixtures.ts'
import { confirmAddress, newOwner, type Owner, signUp } from './owners.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a key as the page shows it (base32, RFC 4648 section 6). */
function bytesOf(shown: string): Buffer {
  const bits = [...shown.replaceAll(' ', '')]
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Signs out, and in again with the password. */
async function signInAgain(page: Page, t: Translate, { email, password }: Owner): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('button', { name: t('identity.profile.signOut'), exact: true }).click()
  await expect(page).toHaveURL(/\/(login|signup)/)
  await page.goto('/login')
  await page.getByLabel(t('identity.email')).fill(email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
}

test('an owner turns two-factor on, signs in with a code and with a recovery code, and turns it off', async ({
  page,
  t,
}) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await expect(page).toHaveURL('/dashboard')
  await confirmAddress(page, t, owner)

  await page.goto('/profile')
  const section = page.getByRole('region', { name: t('identity.twoFactor.title') })
  await section.getByRole('button', { name: t('identity.twoFactor.turnOn') }).click()
  const setUp = page.getByRole('dialog', { name: t('identity.twoFactor.setUp') })
  await expect(setUp.getByRole('img', { name: t('identity.twoFactor.qr') })).toBeVisible()
  const key = bytesOf((await setUp.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()) ?? '')
  expect(key).toHaveLength(20)
  const digits = setUp.getByLabel(t('identity.twoFactor.confirm'))
  const activate = setUp.getByRole('button', { name: t('identity.twoFactor.activate') })
  // Of ten minutes ago.
  await digits.fill(codeAt(key, stepAt(new Date()) - 20))
  await activate.click()
  await expect(digits).toHaveAccessibleDescription(t('errors.wrong_code'))
  const step = stepAt(new Date())
  await digits.fill(codeAt(key, step))
  await activate.click()

  const shown = page.getByRole('dialog', { name: t('identity.twoFactor.codesTitle') })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const [recoveryCode = '', ...others] = await shown.getByRole('listitem').allTextContents()
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: t('identity.twoFactor.kept') }).click()
  await expect(section).toContainText(t('identity.twoFactor.left', { number: 10 }))

  const asked = page.getByRole('heading', { name: t('identity.code.title') })
  const code = page.getByLabel(t('identity.code.label'), { exact: true })
  const submit = page.getByRole('button', { name: t('identity.code.submit'), exact: true })
  await signInAgain(page, t, owner)
  await expect(asked).toBeVisible()
  await expect(code).toBeFocused()
  // The code that turned it on has been used.
  await code.fill(codeAt(key, step))
  await submit.click()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(t('errors.wrong_code'))).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/(login|signup)/)
  await page.goto('/login')
  await expect(asked).toBeVisible()
  // That of the next half minute counts already.
  await code.fill(codeAt(key, step + 1))
  await submit.click()
  await expect(page).toHaveURL('/dashboard')

  await signInAgain(page, t, owner)
  await expect(asked).toBeVisible()
  await code.fill(recoveryCode)
  await submit.click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/profile')
  await expect(section).toContainText(t('identity.twoFactor.left', { number: 9 }))
  await section.getByRole('button', { name: t('identity.twoFactor.renew') }).click()
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const renewed = await shown.getByRole('listitem').allTextContents()
  expect(renewed.filter((each) => others.includes(each))).toEqual([])
  await shown.getByRole('button', { name: t('identity.twoFactor.kept') }).click()

  await section.getByRole('button', { name: t('identity.twoFactor.turnOff') }).click()
  const sure = page.getByRole('dialog', { name: t('identity.twoFactor.turnOff') })
  await sure.getByRole('button', { name: t('identity.twoFactor.turnOff') }).click()
  await expect(page.getByText(t('identity.twoFactor.isOff'))).toBeVisible()
  // The list of what was done with the account follows.
  await expect(page.getByRole('listitem').filter({ hasText: t('audit.act.two_factor_off') })).toHaveCount(1)
  await signInAgain(page, t, owner)
  await expect(page).toHaveURL('/dashboard')
})
