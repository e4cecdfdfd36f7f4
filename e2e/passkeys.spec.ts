import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { confirmAddress, newOwner, signUp } from './owners.ts'

/** An authenticator like a phone's or a laptop's, which checks who holds it. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an owner adds a passkey, signs in with it, renames it and removes it', async ({ page, t }) => {
  await addAuthenticator(page)
  // The field for the address would offer the passkey too, and this authenticator accepts every offer at once.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await expect(page).toHaveURL('/dashboard')
  await confirmAddress(page, t, owner)

  await page.goto('/profile')
  const section = page.getByRole('region', { name: t('identity.passkeys.title') })
  await section.getByRole('button', { name: t('identity.passkeys.add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('identity.passkeys.name')).fill('Laptop')
  await dialog.getByRole('button', { name: t('identity.passkeys.add') }).click()
  await expect(section.getByRole('listitem')).toContainText('Laptop')

  await page.getByRole('button', { name: t('identity.profile.signOut'), exact: true }).click()
  await expect(page).toHaveURL(/\/(login|signup)/)
  await page.goto('/login')
  await page.getByRole('button', { name: t('identity.login.passkey') }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/profile')
  await expect(page.getByText(t('identity.profile.methods.passkey'))).toBeVisible()
  await section.getByRole('button', { name: t('identity.passkeys.rename') }).click()
  await dialog.getByLabel(t('identity.passkeys.name')).fill('Old laptop')
  await dialog.getByRole('button', { name: t('identity.passkeys.saveName') }).click()
  await expect(section.getByRole('listitem')).toContainText('Old laptop')
  await section.getByRole('button', { name: t('identity.passkeys.remove') }).click()
  await dialog.getByRole('button', { name: t('identity.passkeys.remove') }).click()
  await expect(section.getByRole('listitem')).toHaveCount(0)
})

test('a passkey that could not be added or used is told in words that say why', async ({ page, t }) => {
  await addAuthenticator(page)
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
    const refuse = async () => {
      await Promise.resolve()
      const name = sessionStorage.getItem('refusal') ?? 'NotAllowedError'
      // As after the minute that a browser waits.
      if (name === 'late') performance.now = () => 3_600_000
      throw new DOMException('', name === 'late' ? 'NotAllowedError' : name)
    }
    navigator.credentials.create = refuse
    navigator.credentials.get = refuse
  })
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await confirmAddress(page, t, owner)
  for (const [refusal, words] of [
    ['NotAllowedError', t('identity.auth.passkeyNotAdded')],
    ['InvalidStateError', t('identity.auth.passkeyKnown')],
    ['ConstraintError', t('identity.auth.passkeyUnsupported')],
    ['NotSupportedError', t('identity.auth.passkeyUnsupported')],
    ['UnknownError', t('identity.auth.passkeyFailed')],
    ['late', t('identity.auth.passkeyTooLate')],
  ] as const) {
    await page.goto('/profile')
    await page.evaluate((name) => sessionStorage.setItem('refusal', name), refusal)
    const section = page.getByRole('region', { name: t('identity.passkeys.title') })
    await section.getByRole('button', { name: t('identity.passkeys.add') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t('identity.passkeys.add') }).click()
    await expect(dialog.getByRole('alert')).toHaveText(words)
  }
  await page.context().clearCookies()
  await page.goto('/login')
  await page.evaluate(() => sessionStorage.removeItem('refusal'))
  await page.getByRole('button', { name: t('identity.login.passkey') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('identity.auth.passkeyUnused'))
})
