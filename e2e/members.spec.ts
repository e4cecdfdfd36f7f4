import { locales } from '../server/languages.ts'
import { readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner, newslettersOf } from './owners.ts'

test('who leaves is asked in words of their own, and the only owner hears why they cannot', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/members')
  await page.getByRole('button', { name: t('newsletters.members.leave'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('newsletters.members.onlyOwner'))
  await expect(dialog.getByRole('button', { name: t('newsletters.members.leave'), exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: t('newsletters.members.stay') }).click()
  await expect(dialog).toBeHidden()
})

test('on a phone the address of an invitation stands within the screen', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/members')
  await page.getByLabel(t('newsletters.members.email')).fill('guest@example.org')
  await page.getByRole('button', { name: t('newsletters.members.invite'), exact: true }).click()
  const copy = page.getByRole('status').getByRole('button', { name: t('ui.copy') })
  await expect(copy).toBeVisible()
  const box = await copy.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(390)
})

test('the address of an invitation goes with the invitation', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/members')
  const email = 'withdrawn@lowwater.example'
  await page.getByLabel(t('newsletters.members.email')).fill(email)
  await page.getByRole('button', { name: t('newsletters.members.invite') }).click()
  const address = page.getByText(t('newsletters.members.caught', { email }))
  await expect(address).toBeVisible()
  await page.getByRole('button', { name: t('newsletters.members.withdraw') }).click()
  await expect(address).toBeHidden()
})

test('the address of an invitation stays when somebody else is invited', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/members')
  for (const email of ['first@lowwater.example', 'second@lowwater.example']) {
    await page.getByLabel(t('newsletters.members.email')).fill(email)
    await page.getByRole('button', { name: t('newsletters.members.invite'), exact: true }).click()
    await expect(page.getByText(t('newsletters.members.caught', { email }))).toBeVisible()
  }
  await expect(page.getByText(t('newsletters.members.caught', { email: 'first@lowwater.example' }))).toBeVisible()
  const addresses = await page.getByRole('status').getByText('/invitation/').allTextContents()
  expect(new Set(addresses).size).toBe(2)
})

test('whoever is invited makes an account for that newsletter, and names none of their own', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const [mine] = await newslettersOf(page)
  await page.goto('/settings/members')
  const guest = newOwner()
  await page.getByLabel(t('newsletters.members.email')).fill(guest.email)
  await page.getByRole('button', { name: t('newsletters.members.invite'), exact: true }).click()
  const address = await page.getByRole('status').getByText('/invitation/').textContent()
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: locales[language] })
  const invited = await context.newPage()
  await invited.goto(new URL(String(address)).pathname)
  await invited.getByRole('link', { name: t('identity.invitation.signUp') }).click()
  const lead = t('identity.signUp.invitedLead', { newsletter: mine?.name ?? '', email: guest.email })
  await expect(invited.getByText(lead)).toBeVisible()
  await expect(invited.getByLabel(t('identity.email'))).toHaveValue(guest.email)
  await expect(invited.getByLabel(t('identity.firstNewsletter'))).toHaveCount(0)
  await invited.getByLabel(t('identity.name'), { exact: true }).fill(guest.name)
  await invited.getByLabel(t('identity.password'), { exact: true }).fill(guest.password)
  await invited.getByRole('button', { name: t('identity.signUp.submit') }).click()
  await expect(invited).toHaveURL(/\/invitation\//)
  await invited.getByRole('button', { name: t('identity.invitation.accept', { name: guest.name }) }).click()
  await expect(invited).toHaveURL('/dashboard')
  // Who has accepted already is not sent back to the invitation by the mail that confirms the address.
  const confirmation = await readMail(invited, mine?.id ?? '', {
    to: guest.email,
    subject: t('identity.mail.verify.subject'),
  })
  const link = new URL(/http\S+\/verified\S+/.exec(confirmation.text)?.[0] ?? '')
  await invited.goto(link.pathname + link.search)
  await invited.getByRole('button', { name: t('identity.verified.submit') }).click()
  await invited.getByRole('link', { name: t('identity.verified.go') }).click()
  await expect(invited).toHaveURL('/dashboard')
  await invited.goto(new URL(String(address)).pathname)
  await expect(invited.getByText(t('identity.invitation.goneSignedIn'))).toBeVisible()
  await context.close()
})

test('a deleted newsletter is brought back where one is started, and the account is there meanwhile', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const [mine] = await newslettersOf(page)
  await page.goto('/settings/general')
  await page.getByRole('button', { name: t('newsletters.delete.title') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(mine?.name ?? '')
  await dialog.getByRole('button', { name: t('newsletters.delete.title') }).click()
  await expect(page).toHaveURL('/welcome')
  await page.getByRole('link', { name: t('newsletters.welcome.account') }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('button', { name: t('identity.profile.signOut'), exact: true })).toBeVisible()
  await page.getByRole('link', { name: t('shell.startNewsletter') }).click()
  await page.getByRole('button', { name: t('newsletters.deleted.restore') }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('navigation', { name: t('shell.main') })).toContainText(mine?.name ?? '')
  await expect(page.getByText(t('newsletters.delete.done', { name: mine?.name ?? '' }))).toHaveCount(0)
})

test('a newsletter whose name has quotation marks is deleted by typing it as the question shows it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  await page.request.patch(`/api/newsletters/${id}`, { data: { name: 'Zoë’s “Letter” & Co' }, headers })
  await page.goto('/settings/general')
  await page.getByRole('button', { name: t('newsletters.delete.title') }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: t('newsletters.delete.title') })
  const shown = ((await dialog.locator('label').textContent()) ?? '').replace(/^[^“«]*[“«]\s?|\s?[”»][^”»]*$/g, '')
  expect(shown).toMatch(/^Zoë’s ['‘“]Letter['’”] & Co$/)
  await dialog.getByRole('textbox').fill('Zoë’s Letter & Co')
  await expect(remove).toBeDisabled()
  for (const typed of ['Zoë\'s "Letter" & Co', shown]) {
    await dialog.getByRole('textbox').fill(typed)
    await expect(remove).toBeEnabled()
  }
  await remove.click()
  await expect(page).toHaveURL('/welcome')
  // Undone from the notice, it is open again, and the notice is gone.
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('button', { name: t('ui.undo') })).toHaveCount(0)
})

test('who was removed reads which newsletter they are no longer part of', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const guest = newOwner()
  const api = `/api/newsletters/${newsletter.id}`
  const invitation = await page.request.post(`${api}/invitations`, {
    data: { email: guest.email, role: 'analyst' },
    headers,
  })
  const { link } = await invitation.json()
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: locales[language] })
  const analyst = await context.newPage()
  await context.request.post('/api/auth/sign-up/email', { data: guest, headers })
  const token = new URL(link).pathname.split('/').at(-1)
  expect((await context.request.post(`/api/invitations/${token}/accept`, { data: {}, headers })).ok()).toBe(true)
  await analyst.goto('/profile')
  await expect(analyst.getByText(t('identity.profile.confirmationCaught'))).toBeVisible()
  const { members } = await (await page.request.get(`${api}/members`)).json()
  const { userId } = members.find(({ email }: { email: string }) => email === guest.email)
  expect((await page.request.delete(`${api}/members/${userId}`, { headers })).ok()).toBe(true)
  await analyst.goto('/dashboard')
  await expect(analyst).toHaveURL('/welcome')
  await expect(analyst.getByText(t('newsletters.welcome.removed', { name: newsletter.name }))).toBeVisible()
  await context.close()
})

test('who only reads figures is offered no step of the set-up, and is not told that nothing leaves', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const newsletters = await newslettersOf(page)
  const asAnalyst = newsletters.map((each: object) => ({ ...each, role: 'analyst' }))
  await page.route('**/api/newsletters', (route) => route.fulfill({ json: { newsletters: asAnalyst } }))
  await page.goto('/dashboard')
  await expect(page.getByText(t('dashboard.figuresLater'))).toBeVisible()
  await expect(page.getByText(t('dashboard.step.branding.title'))).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('dashboard.step.write.button') })).toHaveCount(0)
  await page.goto('/advertise')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(t('advertise.unconfirmed'))).toHaveCount(0)
})

test('who may not change the settings reads what they are', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  const newsletters = await newslettersOf(page)
  const asAnalyst = newsletters.map((each: object) => ({ ...each, role: 'analyst' }))
  await page.route('**/api/newsletters', (route) => route.fulfill({ json: { newsletters: asAnalyst } }))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/settings/general')
    const name = page.getByLabel(t('newsletters.name'), { exact: true })
    await expect(name).toBeDisabled()
    const { opacity, color, background } = await name.evaluate((field) => {
      const { opacity, color, backgroundColor: background } = getComputedStyle(field)
      return { opacity, color, background }
    })
    expect(opacity).toBe('1')
    expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5)
  }
})

/** As WCAG 2.2 has it, of two colours as `rgb(r, g, b)`. */
function contrast(one: string, other: string): number {
  const light = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? [])
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

test('who is asked for a proof types at once, and who may not read the audit is told so', async ({
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
  await page.goto('/settings/keys')
  await page.getByLabel(t('newsletters.keys.name'), { exact: true }).fill('Website')
  await page.getByRole('button', { name: t('newsletters.keys.make') }).click()
  const dialog = page.getByRole('dialog', { name: t('identity.proof.title') })
  await expect(dialog.getByLabel(t('identity.password'), { exact: true })).toBeFocused()

  const newsletters = (await newslettersOf(page)).map((each: object) => ({ ...each, role: 'editor' }))
  await page.route('**/api/newsletters', (route) => route.fulfill({ json: { newsletters } }))
  await page.goto('/settings/audit')
  await expect(page.getByText(t('audit.ownersOnly'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('audit.download') })).toHaveCount(0)
})

test('a key that is revoked is no longer shown to be copied', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/keys')
  await page.getByLabel(t('newsletters.keys.name'), { exact: true }).fill('Website')
  await page.getByRole('button', { name: t('newsletters.keys.make') }).click()
  const secret = page.getByText(t('newsletters.keys.once'))
  await expect(secret).toBeVisible()
  await page.getByRole('button', { name: t('newsletters.keys.revoke') }).click()
  const question = page.getByRole('dialog', { name: t('newsletters.keys.revokeAsk', { name: 'Website' }) })
  await question.getByRole('button', { name: t('newsletters.keys.revoke') }).click()
  await expect(page.getByText(t('newsletters.keys.none'))).toBeVisible()
  await expect(secret).toHaveCount(0)
})
