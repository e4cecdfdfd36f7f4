import type { Page } from '@playwright/test'
import { languageLabel, otherLanguages } from '../server/languages.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { confirmAddress, createNewsletter, newOwner, newslettersOf, signUp } from './owners.ts'
import { Traffic } from './traffic.ts'

for (const path of ['dashboard', 'advertise', 'charge', 'publish']) {
  test(`/${path} without signing in leads to the sign-up page and keeps the product`, async ({ page }) => {
    await page.goto(`/${path}?product=charge`)
    await expect(page).toHaveURL('/signup?product=charge')
  })
}

test('the empty path leads to the dashboard, and so to the sign-up page', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/signup')
})

test('a link to the outbox leads to signing in, and then there', async ({ page, t }) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await confirmAddress(page, t, owner)
  await page.context().clearCookies()
  // On a slow computer a page is drawn later than the answers come in.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      setTimeout(() => Reflect.apply(post, this, message), 20)
    }
  })
  await page.goto('/outbox?newest=Low%20Water')
  await expect(page).toHaveURL('/login')
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
  await expect(page).toHaveURL('/outbox?newest=Low%20Water')
})

test('a link to a new password says whose it is, and that it is used up before anything is typed', async ({
  page,
  t,
}) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await confirmAddress(page, t, owner)
  const [newsletter] = await newslettersOf(page)
  await page.goto('/forgot')
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByRole('button', { name: t('identity.forgot.submit') }).click()
  await expect(page.getByRole('button', { name: t('identity.forgot.submit') })).toBeHidden()
  const link = linkIn(
    await readMail(page, newsletter?.id ?? '', { to: owner.email, subject: t('identity.mail.reset.subject') }),
    '/reset',
  )
  await page.goto(link)
  await expect(page.getByLabel(t('identity.email'))).toHaveValue(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill('three other words here')
  await page.getByRole('button', { name: t('identity.reset.submit') }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill('three other words here')
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
  await expect(page).toHaveURL('/dashboard')
  for (const used of [link, '/reset?token=nobody-ever-sent-this-token']) {
    await page.goto(used)
    await expect(page.getByRole('heading', { name: t('identity.reset.oldTitle') })).toBeVisible()
    await expect(page.getByLabel(t('identity.password'), { exact: true })).toBeHidden()
    await expect(page.getByRole('link', { name: t('identity.reset.askAgain') })).toBeVisible()
  }
})

test('whoever is signed out somewhere else while a page is open signs in and comes back to it', async ({
  page,
  t,
  baseURL,
}) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await confirmAddress(page, t, owner)
  await page.goto('/publish')
  await expect(page.getByRole('heading', { name: t('shell.nav.publish'), level: 1 })).toBeVisible()
  for (const notice of [
    () => document.querySelector<HTMLElement>('a[href="/subscribers"]')?.click(),
    () => void window.dispatchEvent(new Event('visibilitychange')),
  ]) {
    await page.request.post('/api/auth/sign-out', { data: {}, headers: { origin: baseURL ?? '' } })
    // What the page asks by itself may be answered first.
    await page.evaluate(notice)
    await expect(page).toHaveURL('/login')
    await page.getByLabel(t('identity.email')).fill(owner.email)
    await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: t('identity.login.submit') }).click()
    await expect(page).toHaveURL(/\/(publish|subscribers)$/)
    await page.goto('/publish')
    await expect(page.getByRole('heading', { name: t('shell.nav.publish'), level: 1 })).toBeVisible()
  }
})

test('whoever is signed out somewhere else and presses a button signs in from the notice', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  // What the page still asks for, or asks once its stream opens, would be refused, and lead to signing in before anything is pressed.
  await page.route('**/live', (route) => route.abort())
  await new Traffic(page).load('/publish')
  const begin = page
    .getByRole('main')
    .getByRole('button', { name: t('publish.new') })
    .first()
  await expect(begin).toBeVisible()
  await page.request.post('/api/auth/sign-out', { data: {}, headers: { origin: baseURL ?? '' } })
  await begin.click()
  const notice = page.getByRole('alert').filter({ hasText: t('errors.unauthenticated') })
  await expect(notice).toBeVisible()
  await begin.click()
  await expect(notice).toHaveCount(1)
  await notice.getByRole('button', { name: t('ui.signIn') }).click()
  await expect(page).toHaveURL('/login')
})

test('whoever is signed out, comes by a link and has an account signs in and gets to the link', async ({ page, t }) => {
  const owner = newOwner()
  await page.goto('/signup')
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await confirmAddress(page, t, owner)
  const signIn = async () => {
    // The page before has fields of the same names, and is drawn a little longer than its address is there.
    await expect(page.getByRole('heading', { name: t('identity.login.title') })).toBeVisible()
    await page.getByLabel(t('identity.email')).fill(owner.email)
    await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: t('identity.login.submit') }).click()
  }
  await page.context().clearCookies()
  await page.goto('/subscribers/import?from=mail')
  await expect(page).toHaveURL('/login')
  await signIn()
  await expect(page).toHaveURL('/subscribers/import?from=mail')

  await page.context().clearCookies()
  await page.goto('/publish?from=mail')
  await expect(page).toHaveURL('/signup')
  await page.getByRole('link', { name: t('identity.signUp.signIn') }).click()
  await signIn()
  await expect(page).toHaveURL('/publish?from=mail')
})

for (const product of ['publish', 'advertise', 'charge']) {
  test(`an owner who came for ${product} starts there`, async ({ page, t }) => {
    await page.goto(`/login?product=${product}`)
    await page.getByRole('link', { name: t('identity.login.signUp') }).click()
    await expect(page).toHaveURL(`/signup?product=${product}`)
    await signUp(page, t, { owner: newOwner(), newsletter: 'Low Water' })
    await expect(page).toHaveURL(`/${product}`)
  })
}

test('signing up and signing in are recorded with their method', async ({ page, t }) => {
  const events = recordEvents(page)
  const owner = newOwner()
  await page.goto('/signup')
  await expect.poll(() => events).toContainEqual({ name: 'page_view', params: { path: '/' } })
  await expect.poll(() => events.some(({ name }) => name === 'screen_view')).toBe(true)
  await signUp(page, t, { owner, newsletter: 'Low Water' })
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => events).toContainEqual({ name: 'sign_up', params: { method: 'email' } })

  await confirmAddress(page, t, owner)
  await page.goto('/profile')
  await page.getByRole('button', { name: t('identity.profile.signOut'), exact: true }).click()
  await expect(page).toHaveURL(/\/(login|signup)/)
  await page.goto('/login')
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill('not this one')
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
  await expect(page.getByRole('alert')).toContainText(t('identity.auth.noMatch'))
  await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => events).toContainEqual({ name: 'login', params: { method: 'email' } })
})

test('a guest who signs up later keeps everything', async ({ page, t }) => {
  const events = recordEvents(page)
  await page.goto('/signup')
  await page.getByRole('button', { name: t('identity.tryFirst') }).click()
  await expect.poll(() => events).toContainEqual({ name: 'sign_up', params: { method: 'anonymous' } })
  await expect(page).toHaveURL('/dashboard')
  const [before] = await newslettersOf(page)

  await page.goto('/profile')
  await page.getByRole('link', { name: t('identity.profile.keepAccount') }).click()
  const owner = newOwner()
  await expect(page.getByLabel(t('identity.signUp.keepName'))).toHaveAccessibleDescription(
    t('identity.signUp.keepNameHint', { name: t('newsletters.welcome.guestName') }),
  )
  await signUp(page, t, { owner, newsletter: 'Basse mer' })
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Basse mer')
  const me = await (await page.request.get('/api/me')).json()
  expect(me.user).toMatchObject({ email: owner.email, anonymous: false })
  expect(await newslettersOf(page)).toMatchObject([{ id: before?.id, name: 'Basse mer' }])
})

test('an account of another way in keeps the language of the first device on which it is used', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const owner = newOwner()
  const headers = { origin: baseURL ?? '' }
  await page.request.post('/api/auth/sign-up/email', { data: owner, headers })
  await page.request.post('/api/newsletters', {
    data: { name: 'Low Water', language, timezone: 'Europe/Paris', currency: 'eur' },
    headers,
  })
  await confirmAddress(page, t, owner)
  expect((await (await page.request.get('/api/me')).json()).profile).toMatchObject({ language: null })
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByLabel(t('identity.email')).fill(owner.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: t('identity.login.submit') }).click()
  await expect(page.getByLabel(t('identity.password'), { exact: true })).toBeHidden()
  expect((await (await page.request.get('/api/me')).json()).profile).toMatchObject({ language })
})

test('a page to which one comes from signing in looks as it does when it is opened by its address', async ({
  page,
  t,
}) => {
  await page.goto('/signup?product=charge')
  await page.getByRole('button', { name: t('identity.tryFirst') }).click()
  await expect(page).toHaveURL('/charge')
  const button = page.getByRole('main').getByRole('link', { name: t('charge.steps.plan.action') })
  const looks = () =>
    button.evaluateAll((nodes) =>
      nodes.map((node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]),
    )
  await expect(button.first()).toBeVisible()
  const before = await looks()
  await page.reload()
  await expect(button.first()).toBeVisible()
  expect(before).toEqual(await looks())
})

for (const width of [390, 1440])
  test(`each choice of the profile is whole at ${width} px`, async ({ page, t, baseURL, language }) => {
    await createNewsletter(page, baseURL, language)
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/profile')
    for (const name of ['identity.language', 'identity.profile.mode', 'identity.profile.currency'] as const) {
      const choice = page.getByRole('radiogroup', { name: t(name) })
      const row = page.getByRole('listitem').filter({ has: choice })
      const [inner, outer] = [await choice.boundingBox(), await row.boundingBox()]
      expect
        .soft((inner?.x ?? 0) + (inner?.width ?? 0), name)
        .toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0))
      // Nothing of it is hidden behind its own edge.
      expect.soft(await choice.evaluate((node) => node.scrollWidth - node.clientWidth), name).toBeLessThanOrEqual(0)
    }
    const zone = page.getByRole('combobox', { name: t('identity.profile.timezone') })
    expect.soft(await zone.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
  })

test('a list that can be searched takes what is typed, says that nothing fits, and keeps what was chosen', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/profile')
  const zone = page.getByRole('combobox', { name: t('identity.profile.timezone') })
  await zone.click()
  await page.keyboard.type('Nowhere')
  await expect(page.getByText(t('ui.nothingFits'))).toBeVisible()
  await zone.click()
  await page.keyboard.type('Tokyo')
  const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.keyboard.press('Enter')
  await expect(zone).toHaveValue('Asia/Tokyo')
  await kept
  await page.reload()
  await expect(zone).toHaveValue('Asia/Tokyo')
  // Browsers list some zones by the name that they had before. People look for today's, or for the one they remember.
  for (const [typed, found] of [
    ['Kolkata', 'Asia/Kolkata'],
    ['Kiev', 'Europe/Kyiv'],
    ['ho chi', 'Asia/Ho_Chi_Minh'],
  ] as const) {
    await zone.click()
    await zone.fill(typed)
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('option', { name: found, exact: true }).click()
    expect((await saved).ok(), found).toBe(true)
    await expect(zone).toHaveValue(found)
  }
  await page.reload()
  await expect(zone).toHaveValue('Asia/Ho_Chi_Minh')
})

test('who signs out before their address is confirmed is told what that costs, and reads at signing in where the link is', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  await createNewsletter(page, baseURL, language)
  const { user } = await (await page.request.get('/api/me')).json()
  await page.goto('/profile')
  const signOut = page.getByRole('button', { name: t('identity.profile.signOut'), exact: true })
  const question = page.getByRole('dialog', { name: t('identity.profile.unprovenLeaves') })
  await signOut.click()
  await question.getByRole('button', { name: t('identity.profile.unsavedKeep') }).click()
  await expect(question).toBeHidden()
  await signOut.click()
  await question.getByRole('button', { name: t('identity.profile.guestLeavesConfirm') }).click()
  await expect(page).toHaveURL(/\/(login|signup)/)
  await page.goto('/login')
  await page.getByLabel(t('identity.email')).fill(user.email)
  await page.getByLabel(t('identity.password'), { exact: true }).fill(newOwner().password)
  await page.getByRole('button', { name: t('identity.login.submit'), exact: true }).click()
  const button = t('identity.login.link')
  await expect(page.getByText(t('identity.auth.unprovenCaught', { button }))).toBeVisible()
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText(t('identity.caught.text', { email: user.email }))).toBeVisible()
})

for (const width of [390, 1440])
  test(`a guest is asked before signing out, at ${width} px, because nothing leads back`, async ({ page, t }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/signup')
    await page.getByRole('button', { name: t('identity.tryFirst') }).click()
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/profile')
    const signOut = page.getByRole('button', { name: t('identity.profile.signOut'), exact: true })
    const question = page.getByRole('dialog', { name: t('identity.profile.guestLeaves') })

    await signOut.click()
    await expect(question).toContainText(t('identity.profile.guestLeavesText'))
    await question.getByRole('button', { name: t('identity.profile.unsavedKeep') }).click()
    await expect(question).toBeHidden()
    expect((await page.request.get('/api/me').then((me) => me.json())).user.anonymous).toBe(true)

    await signOut.click()
    await question.getByRole('link', { name: t('identity.profile.keepAccount') }).click()
    await expect(page).toHaveURL('/signup')

    await page.goto('/profile')
    await page.getByRole('button', { name: `${t('identity.profile.leave')}…` }).click()
    const leaving = page.getByRole('dialog', { name: t('identity.profile.leave') })
    await expect(leaving).toContainText(t('identity.profile.leaveGuestText'))
    await expect(leaving.getByRole('link', { name: t('identity.profile.keepAccount') })).toBeVisible()
    await page.keyboard.press('Escape')

    await signOut.click()
    await question.getByRole('button', { name: t('identity.profile.guestLeavesConfirm') }).click()
    await expect(page).toHaveURL(/\/(login|signup)/)
    expect((await page.request.get('/api/me').then((me) => me.json())).user).toBeNull()
  })

test('a guest reads a sample under an address that says what they are, and pre-flight says what they can do', async ({
  page,
  t,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/signup')
  await page.getByRole('button', { name: t('identity.tryFirst') }).click()
  await page
    .getByRole('button', {
      name: t('ui.within', { whole: t('dashboard.step.sample.button'), part: t('dashboard.step.sample.title') }),
    })
    .click()
  await expect(page.getByRole('main')).toContainText(/ guest-[a-z\d]{12}@guest\.invalid/)
  await page
    .getByRole('complementary', { name: t('dashboard.next') })
    .getByRole('button')
    .click()
  await expect(page).toHaveURL(/\/publish\/create\//)
  await page.goto(`${page.url()}/send`)
  await expect(page.getByText(t('publish.firstReader.nobodyYet'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('publish.firstReader.myself') })).toHaveCount(0)
})

test('the language follows the browser until the profile chooses another', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/profile')
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.getByRole('heading', { name: t('identity.profile.title') })).toBeVisible()
  const [other = language] = otherLanguages(language)
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/me/profile') && answer.ok())
  await page.getByText(languageLabel(other), { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await saved
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', other)
})

test('the colour scheme chosen in the profile stays', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/profile')
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/me/profile') && answer.ok())
  await page.getByText(t('identity.profile.modes.dark'), { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await saved
  expect((await (await page.request.get('/api/me')).json()).profile).toMatchObject({ mode: 'dark' })
  await page.evaluate(() => localStorage.removeItem('mode'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('the currency follows the locale until local storage says otherwise', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/profile')
  const chosen = page
    .getByRole('radiogroup', { name: t('identity.profile.currency') })
    .getByRole('radio', { checked: true })
  await expect(chosen).toHaveValue('€')
  await page.evaluate(() => localStorage.setItem('currency', '$'))
  await page.reload()
  await expect(chosen).toHaveValue('$')
})

interface Event {
  name: string
  params: Record<string, unknown>
}

/** The events that the server has accepted. */
function recordEvents(page: Page): Event[] {
  const events: Event[] = []
  page.on('response', (answer) => {
    const request = answer.request()
    if (!answer.ok() || !request.url().endsWith('/api/analytics/events')) return
    events.push(...(request.postDataJSON() as { events: Event[] }).events)
  })
  return events
}
