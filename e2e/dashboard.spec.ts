import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { confirmAddress, createNewsletter } from './owners.ts'
import { publish, shortContent } from './publications.ts'
import { subscribe } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

test('a step of the set-up is left out, stays so, and is brought back', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  const step = t('dashboard.step.branding.title')
  const leaveOut = page.getByRole('button', { name: t('dashboard.skip.act', { step }) })
  const bringBack = page.getByRole('button', { name: t('dashboard.skip.back', { step }) })
  await leaveOut.click()
  await expect(bringBack).toBeVisible()
  await expect(leaveOut).toBeHidden()
  await page.reload()
  await bringBack.click()
  await expect(leaveOut).toBeVisible()
  await expect(bringBack).toBeHidden()
  // Off the dashboard the next one is on every page, on a phone too.
  const next = page.getByRole('button', { name: t('dashboard.step.sample.title'), exact: true })
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/subscribers')
    await expect(next).toBeVisible()
  }
  // It leads to the sample itself, in the outbox.
  await next.click()
  await expect(page).toHaveURL(/\/outbox\?mail=/)
  await expect(
    page.frameLocator(`iframe[title*="${t('sample.title')}"]`).getByRole('heading', { name: t('sample.title') }),
  ).toBeVisible()
  await expect(next).toBeHidden()
  await page.goto('/dashboard')
  for (const each of ['branding', 'subscriber', 'write', 'send'] as const) {
    const leave = page.getByRole('button', {
      name: t('dashboard.skip.act', { step: t(`dashboard.step.${each}.title`) }),
    })
    await leave.click()
    // The steps below move up when it goes, and a click at that moment meets none of them.
    await expect(leave).toBeHidden()
  }
  await expect(page.getByText(t('dashboard.noStepsLeft'))).toBeVisible()
  await page
    .getByRole('navigation', { name: t('shell.main') })
    .getByText(t('shell.nav.subscribers'))
    .click()
  await expect(page).toHaveURL('/subscribers')
  await expect(page.getByText(t('dashboard.next'), { exact: true })).toHaveCount(0)
})

test('an account counts as kept once its address is confirmed', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { user } = (await (await page.request.get('/api/me')).json()) as { user: { email: string } }
  await publish(page, { baseURL, newsletter, title: 'Tides' })
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: t('dashboard.finish') })
  const account = steps.getByRole('listitem').filter({ hasText: t('dashboard.step.account.title') })
  await expect(account).toContainText(user.email)
  await expect(account).not.toHaveAttribute('data-done')
  const counted = async () => (await steps.getByRole('img').getAttribute('aria-label')) ?? ''
  const before = await counted()
  await confirmAddress(page, t, user)
  await page.goto('/dashboard')
  await expect(account).toHaveAttribute('data-done', 'true')
  expect(await counted()).not.toBe(before)
})

test('where the subscribe page is first shared, one press gives it a readable address', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id, urls } = await createNewsletter(page, baseURL, language)
  const offer = page.getByLabel(t('subscribers.handleOffer.label', { id }))
  await page.goto('/subscribers')
  await expect(offer).toHaveValue(/^low-water/)
  await page.goto('/dashboard')
  await offer.fill('sign-up')
  const take = page.getByRole('button', { name: t('subscribers.handleOffer.take') })
  await take.click()
  await expect(page.getByText(t('errors.slug_reserved'))).toBeVisible()
  const handle = `marée-${id}`.toLowerCase()
  await offer.fill(handle)
  await take.click()
  await expect(page.getByText(t('errors.fields.not_a_handle'))).toBeVisible()
  await offer.fill(handle.replace('é', 'e'))
  await take.click()
  await expect(offer).toBeHidden()
  const shown = page.getByText(`/subscribe/${handle.replace('é', 'e')}`)
  await expect(shown).toBeVisible()
  // The earlier address stays.
  expect((await page.request.get(urls.subscribe)).status()).toBe(200)
})

test('a step that was left out and is brought back is the next one again', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const skip = async (step: string, skipped: boolean) => {
    const path = `/api/newsletters/${newsletter.id}/dashboard/checklist`
    const answer = await page.request.put(path, { data: { step, skipped }, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  for (const each of ['sample', 'write', 'send', 'subscriber']) await skip(each, true)
  const nav = page.getByRole('navigation', { name: t('shell.main') })
  const next = nav.getByText(t('dashboard.next'), { exact: true }).locator('..')
  await page.goto('/settings/branding')
  await expect(next).toContainText(t('dashboard.step.branding.title'))
  // Whoever finds it good as it is has chosen it.
  await page.getByRole('button', { name: t('ui.save') }).click()
  await expect(next).toBeHidden()
  await page.goto('/dashboard')
  const step = t('dashboard.step.subscriber.title')
  await page.getByRole('button', { name: t('dashboard.skip.back', { step }) }).click()
  await nav.getByRole('link', { name: t('shell.nav.publish'), exact: true }).click()
  await expect(next).toContainText(step)
  await next.getByRole('link').click()
  await expect(page).toHaveURL('/subscribers')
})

test('who counts as a subscriber is said beside the number of the side bar, by keyboard and by touch', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/publish')
  const said = (of: Page) => of.getByText(t('subscribers.whoCounts.text'))
  const asked = (of: Page) =>
    of
      .getByRole('navigation', { name: t('shell.main') })
      .getByRole('button', { name: t('subscribers.whoCounts.label') })
  await page
    .getByRole('navigation', { name: t('shell.main') })
    .getByRole('link', { name: t('shell.nav.subscribers') })
    .focus()
  await page.keyboard.press('Tab')
  await expect(asked(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(said(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(said(page)).toBeHidden()
  await expect(asked(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(said(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(said(page)).toBeHidden()
  await expect(asked(page)).toBeFocused()

  const tablet = await browser.newContext({
    ...(baseURL && { baseURL }),
    ...{ hasTouch: true, viewport: { width: 1180, height: 820 }, storageState: await page.context().storageState() },
  })
  const touched = await tablet.newPage()
  await touched.goto('/publish')
  const answered = touched.getByRole('navigation').getByRole('button', { name: t('subscribers.whoCounts.label') })
  await answered.tap()
  await expect(said(touched)).toBeVisible()
  await tablet.close()
})

test('each part of the dashboard of those days is a file', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  await publish(page, { baseURL, newsletter, channel: 'everywhere', title: '=The harbour' })
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Paris' })
  await page.goto(`/dashboard?from=${today}&to=${today}`)
  const lines = async (chart: 'growth' | 'publications' | 'links' | 'sources') => {
    const name = t('ui.downloadChart', { chart: t(`dashboard.charts.${chart}`) })
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name, exact: true }).click()
    const stream = await (await file).createReadStream()
    return (await Array.fromAsync(stream)).join('').trimEnd().split('\n')
  }
  expect((await lines('growth')).at(-1)).toBe([today, 1, 1, 0].join(language === 'fr' ? ';' : ','))
  expect((await lines('publications')).at(-1)).toContain("'=The harbour")
  // Who joined in these days, and in those before.
  expect((await lines('sources')).at(-1)).toMatch(language === 'fr' ? /;1;0$/ : /,1,0$/)
  expect(await lines('links')).toHaveLength(1)
})

test('what goes out next is due', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/publications`
  const made = await page.request.post(path, { data: { title: 'Spring tide', content: shortContent }, headers })
  const { id } = (await made.json()) as { id: string }
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: t('dashboard.latest') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('dashboard.due.title') })).toHaveCount(0)
  const at = new Date(Date.now() + 86_400_000).toISOString()
  const sent = await page.request.post(`${path}/${id}/send`, { data: { channel: 'everywhere', at }, headers })
  expect(sent.ok(), await sent.text()).toBe(true)
  await page.reload()
  const due = page.getByRole('region', { name: t('dashboard.due.title') })
  await due.getByRole('link', { name: t('dashboard.due.goesOut', { title: 'Spring tide' }) }).click()
  await expect(page).toHaveURL(`/publish/${id}`)
})

test('whoever is part of several newsletters sees them side by side, and opens one from there', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const first = await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: new RegExp(first.name) })
    .first()
    .click()
  await expect(page.getByRole('menuitem', { name: t('shell.startNewsletter') })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: t('shell.titles.sideBySide') })).toHaveCount(0)
  const made = await page.request.post('/api/newsletters', {
    data: { name: 'High Water', language, timezone: 'Europe/Paris', currency: 'eur' },
    headers: { origin: baseURL ?? '' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: new RegExp(first.name) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: t('shell.titles.sideBySide') }).click()
  await expect(page.getByRole('heading', { name: t('shell.titles.sideBySide'), level: 1 })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(3)
  const name = t('ui.downloadChart', { chart: t('shell.titles.sideBySide') })
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  const lines = (await Array.fromAsync(await (await file).createReadStream())).join('').trimEnd().split('\n')
  expect(lines.filter((line) => /[,;]High Water[,;]/.test(line))).toHaveLength(2)
  await page.getByRole('link', { name: 'High Water' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('button', { name: /High Water/ }).first()).toBeVisible()
})

test('the currency of the profile follows to another device', async ({
  page,
  browser,
  t,
  language,
  locale,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const currencyOn = (device: Page) => device.getByRole('radiogroup', { name: t('identity.profile.currency') })
  await page.goto('/profile')
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/me/profile') && answer.ok())
  await currencyOn(page).getByText('$', { exact: true }).click()
  await saved
  const { cookies } = await page.context().storageState()
  const context = await browser.newContext({
    ...(baseURL && { baseURL }),
    ...(locale && { locale }),
    storageState: { cookies, origins: [] },
  })
  const other = await context.newPage()
  await other.goto('/profile')
  await expect(currencyOn(other).getByRole('radio', { checked: true })).toHaveValue('$')
  await expect.poll(() => other.evaluate(() => localStorage.getItem('currency'))).toBe('$')
  await context.close()
})

test('on a phone the last publications show opens and clicks', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  const row = page.getByRole('row').filter({ hasText: 'The harbour that waits' })
  for (const column of ['opens', 'humanClicks'] as const) {
    const cell = row.locator(`td[data-column="${t(`dashboard.${column}`)}"]`)
    await expect(cell).toBeVisible()
    const box = await cell.boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true)
  }
})

test('the sample is read within a few clicks, and the dashboard goes on with the draft', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  const step = (name: 'sample' | 'write' | 'send', button = t(`dashboard.step.${name}.button`)) =>
    t('ui.within', { whole: button, part: t(`dashboard.step.${name}.title`) })
  await page.getByRole('button', { name: step('sample') }).click()
  // It goes by itself, so it is looked for first.
  await expect(page.getByText(t('sample.arrived'))).toBeVisible()
  await expect(page).toHaveURL(/\/outbox\?mail=/)
  const mail = page.frameLocator(`iframe[title*="${t('sample.title')}"]`)
  await expect(mail.getByRole('heading', { name: t('sample.title') })).toBeVisible()
  // The next step is beside every page.
  await expect(page.getByText(t('sample.arrived'))).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: t('shell.main') })).toContainText(t('dashboard.step.write.title'))
  await page
    .getByRole('navigation', { name: t('shell.main') })
    .getByRole('link', { name: t('shell.nav.dashboard'), exact: true })
    .click()
  await expect(page.getByRole('button', { name: step('sample') })).toBeHidden()

  await page
    .getByRole('button', { name: step('write') })
    .first()
    .click()
  await expect(page).toHaveURL(/\/publish\/create\//)
  const editor = page.url()
  await page.goto('/dashboard')
  await page
    .getByRole('link', { name: step('write', t('dashboard.goOn')) })
    .first()
    .click()
  await expect(page).toHaveURL(editor)
  await page.getByRole('button', { name: t('publish.test.send') }).click()
  await expect(page.getByRole('alert').filter({ hasText: t('errors.empty_publication') })).toBeVisible()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: step('send') }).click()
  await expect(page).toHaveURL(`${editor}/send`)
  await expect(page.getByRole('button', { name: t('publish.test.send') })).toBeVisible()
})

test('the steps lead back to the steps, and to the mail that a subscriber gets', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const button = (step: 'branding' | 'subscriber') =>
    page.getByRole('link', {
      name: t('ui.within', { whole: t(`dashboard.step.${step}.button`), part: t(`dashboard.step.${step}.title`) }),
    })
  await page.goto('/dashboard')
  await button('branding').click()
  await expect(page).toHaveURL('/settings/branding')
  await page.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('link', { name: t('dashboard.nextSteps') }).click()
  await expect(button('branding')).toBeHidden()
  await button('subscriber').click()
  await page
    .getByRole('button', { name: t('subscribers.add') })
    .first()
    .click()
  const email = uniqueAddress('by-hand')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('subscribers.email')).fill(email)
  await dialog.getByRole('button', { name: t('subscribers.ask') }).click()
  await page.getByRole('link', { name: t('subscribers.readQuestion') }).click()
  const subject = t('subscribers.mail.confirm.subject', { newsletter: 'Low Water' })
  await expect(page.getByRole('heading', { name: subject })).toBeVisible()
  // The other mails stand beside it.
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByRole('main').getByRole('listitem')).not.toHaveCount(1)
})
