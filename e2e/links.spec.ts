import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner, signUp } from './owners.ts'
import { publish } from './publications.ts'
import { subscribe } from './subscribers.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a new owner who came for Advertise sees what to do first, and what is done', async ({ page, t }) => {
  await page.goto('/?product=advertise')
  await expect(page).toHaveURL('/signup?product=advertise')
  await signUp(page, t, { owner: newOwner(), newsletter: 'Low Water' })
  await expect(page).toHaveURL('/advertise')
  const steps = page.getByRole('region', { name: t('shell.steps.title') })
  await expect(steps).toContainText(t('shell.steps.of', { done: '0', all: '3' }))
  await steps.getByRole('link', { name: t('advertise.steps.link.action') }).click()
  await expect(page).toHaveURL('/advertise/links')
  await page.getByRole('dialog').getByLabel(t('links.target')).fill('example.org/tide')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('links.make') })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('/r/')
  await page.goto('/advertise')
  await expect(steps).toContainText(t('shell.steps.of', { done: '1', all: '3' }))
})

test('a short link is made, followed by a person and a robot, counted with the reason, and disabled', async ({
  page,
  t,
  request,
  baseURL,
  language,
}, info) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/advertise')
  // Once what stands above it has come, the link stays in its place.
  await expect(page.getByRole('region', { name: t('shell.steps.title') })).toBeVisible()
  await page.getByRole('link', { name: t('advertise.all') }).click()
  await expect(page).toHaveURL('/advertise/links')
  await page
    .getByRole('button', { name: t('links.add') })
    .first()
    .click()
  const slug = `affiche-${info.project.name}`
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('links.target')).fill('example.org/tide')
  await dialog.getByLabel(t('links.name'), { exact: true }).fill('Affiche')
  await dialog.getByLabel(t('links.slug')).fill('r')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(dialog.getByLabel(t('links.slug'))).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(t('links.slug')).fill(slug)
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(page.getByRole('heading', { name: 'Affiche' })).toBeVisible()

  const follow = (agent: string) =>
    request.get(`/r/${slug}`, { maxRedirects: 0, headers: { 'user-agent': agent } }).then((answer) => answer.status())
  expect([await follow(BROWSER), await follow('Googlebot/2.1')]).toEqual([302, 302])
  await expect(page.getByText(t('links.rules.bot.name'))).toBeVisible()
  await expect(page.getByRole('img', { name: t('links.chart', { human: '1', raw: '2' }) })).toBeVisible()
  await expect(page.getByRole('img', { name: /^(QR code|Code QR)/ })).toBeVisible()

  await page
    .getByRole('main')
    .getByRole('link', { name: t('shell.titles.clickRules') })
    .click()
  await expect(page.getByText(t('links.rules.canary.name'))).toBeVisible()
  await page.getByRole('button', { name: t('links.rulesPage.judge') }).click()
  await expect(page.getByText(t('links.rulesPage.judged', { count: 2, n: '2' }))).toBeVisible()
  await expect(page.getByText(t('links.rulesPage.same'))).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: t('links.disable') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('links.disable') })
    .click()
  await expect(page.getByRole('button', { name: t('links.enable') })).toBeVisible()
  expect(await follow(BROWSER)).toBe(410)
  await page.goto('/advertise/links')
  await expect(page.getByRole('row').filter({ hasText: 'Affiche' })).toContainText('3')
})

test('UTM values are seen on the address while they are typed, kept, changed and forgotten, and changed on a link later', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/links')
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('definition')
  await page
    .getByRole('button', { name: t('links.add') })
    .first()
    .click()
  await dialog.getByLabel(t('links.target')).fill('example.org/tide?x=1')
  await dialog.getByLabel(t('links.target')).fill('http://')
  await dialog.getByLabel(t('links.slug')).fill('marché')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  // Both are said at once.
  await expect(dialog.getByLabel(t('links.target'))).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(t('links.target')).fill('example.org/tide?x=1')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(
    dialog.getByText(t('links.slugBetter', { wrong: t('links.slugLetter', { letter: 'é' }), better: 'marche' })),
  ).toBeVisible()
  await dialog.getByLabel(t('links.slug')).fill('')
  await dialog.getByRole('button', { name: t('links.utm') }).click()
  await expect(preview).toContainText('https://example.org/tide?x=1')
  await dialog.getByLabel(t('links.utmField.medium')).fill('print')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(dialog.getByLabel(t('links.utmField.source'))).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(t('links.utmField.source')).fill('poster')
  await expect(preview).toContainText('https://example.org/tide?x=1&utm_source=poster&utm_medium=print')
  // Only what was added is set off.
  await expect(preview.locator('b')).toHaveText(['utm_source=poster', 'utm_medium=print'])
  await dialog.getByLabel(t('links.utmKeep')).check()
  await dialog.getByLabel(t('links.utmKeepAs')).fill('Quay')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  const target = page.getByRole('main').getByRole('link', { name: /^example\.org/ })
  await expect(target).toHaveAttribute('href', 'https://example.org/tide?x=1&utm_source=poster&utm_medium=print')

  await page.getByRole('button', { name: t('links.change'), exact: true }).click()
  await expect(dialog.getByLabel(t('links.utmField.source'))).toHaveValue('poster')
  await dialog.getByLabel(t('links.utmField.source')).fill('radio')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect(target).toHaveAttribute('href', 'https://example.org/tide?x=1&utm_source=radio&utm_medium=print')
  await page.getByRole('button', { name: t('links.change'), exact: true }).click()
  await dialog.getByRole('button', { name: t('links.noUtm') }).click()
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect(target).toHaveAttribute('href', 'https://example.org/tide?x=1')

  await page.goto('/advertise/links')
  const kept = page.getByRole('region', { name: t('links.utmKeptTitle') })
  await expect(kept).toContainText('utm_source=poster')
  await kept.getByRole('button', { name: t('links.utmChange', { name: 'Quay' }) }).click()
  await dialog.getByLabel(t('links.utmField.campaign')).fill('spring')
  await dialog.getByLabel(t('links.utmName')).fill('Harbour')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect(kept).toContainText('utm_campaign=spring')
  await expect(kept).not.toContainText('Quay')
  const headers = { origin: new URL(baseURL ?? '').origin }
  const templates = `/api/newsletters/${newsletter.id}/utm-templates`
  const radio = await page.request.put(templates, { data: { name: 'Radio', source: 'radio' }, headers })
  await kept.getByRole('button', { name: t('links.utmChange', { name: 'Harbour' }) }).click()
  await dialog.getByLabel(t('links.utmName')).fill('radio')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect(dialog.getByLabel(t('links.utmName'))).toHaveAccessibleDescription(t('errors.utm_name_taken'))
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await page
    .getByRole('button', { name: t('links.add') })
    .first()
    .click()
  await dialog.getByLabel(t('links.target')).fill('example.org')
  await dialog.getByRole('button', { name: t('links.utm') }).click()
  await dialog.getByRole('combobox', { name: t('links.utmKept') }).click()
  await page.getByRole('option', { name: 'Harbour' }).click()
  await expect(preview).toContainText('https://example.org?utm_source=poster&utm_medium=print&utm_campaign=spring')
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await kept.getByRole('button', { name: t('links.utmForget', { name: 'Harbour' }) }).click()
  await dialog.getByRole('button', { name: t('links.utmForgetShort') }).click()
  await expect(kept).not.toContainText('Harbour')
  await page.request.delete(`${templates}/${(await radio.json()).id}`, { headers })
  await page.reload()
  await expect(page.getByRole('button', { name: t('links.add') }).first()).toBeVisible()
  await expect(kept).toBeHidden()
})

test('a link is not made after its end, and leads to its fallback once it is over', async ({
  page,
  t,
  request,
  baseURL,
  language,
}, info) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/links')
  const slug = `fin-${info.project.name}-${info.repeatEachIndex}`
  const dialog = page.getByRole('dialog')
  await page
    .getByRole('button', { name: t('links.add') })
    .first()
    .click()
  await dialog.getByLabel(t('links.target')).fill('example.org/tide')
  await dialog.getByLabel(t('links.slug')).fill(slug)
  await dialog.getByLabel(t('links.end')).fill('2020-01-31')
  await dialog.getByLabel(t('links.fallback')).fill('example.org/over')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  const end = dialog.getByLabel(t('links.end'))
  await expect(end).toHaveAccessibleDescription(new RegExp(t('errors.fields.link_ended')))
  await end.fill('')
  await dialog.getByRole('button', { name: t('links.make') }).click()
  await expect(page.getByText(t('links.fallbackTo'))).toBeVisible()
  const follow = async () => {
    const answer = await request.get(`/r/${slug}`, { maxRedirects: 0, headers: { 'user-agent': BROWSER } })
    return answer.headers().location
  }
  expect(await follow()).toBe('https://example.org/tide')
  await page.getByRole('button', { name: t('links.change'), exact: true }).click()
  await end.fill('2020-01-31')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect.poll(follow).toBe('https://example.org/over')
})

test('a place of a campaign has an address of its own, which nothing else has', async ({
  page,
  t,
  request,
  baseURL,
  language,
}, info) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: new URL(baseURL ?? '').origin }
  const made = await page.request.post(`/api/newsletters/${newsletter.id}/opt-in-campaigns`, {
    ...{ data: { name: 'Winter walks' }, headers },
  })
  const { id } = await made.json()
  await page.goto(`/advertise/campaigns/${id}`)
  const slug = page.getByLabel(t('links.slug'))
  const add = page.getByRole('button', { name: t('campaigns.places.add') })
  const name = page.getByLabel(t('campaigns.places.name'))
  const own = `quai-${info.project.name}`
  await name.fill('Quay')
  await slug.fill('r')
  await add.click()
  await expect(slug).toHaveAttribute('aria-invalid', 'true')
  await expect(slug).toBeFocused()
  await slug.fill(own)
  await add.click()
  await expect(page.getByRole('row').filter({ hasText: 'Quay' })).toBeVisible()
  await expect(slug).toHaveValue('')
  const answer = await request.get(`/r/${own}`, { maxRedirects: 0, headers: { 'user-agent': BROWSER } })
  expect(answer.headers().location).toContain(`/optin/${id}`)

  await name.fill('Market')
  await slug.fill(own)
  await add.click()
  await expect(slug).toHaveAccessibleDescription(new RegExp(t('errors.slug_taken')))
  await expect(page.getByRole('row').filter({ hasText: 'Market' })).toBeHidden()
})

test('the links of a publication lead to their pages, and human and raw clicks stand beside each other, on a phone too', async ({
  page,
  subscriber,
  t,
  request,
  baseURL,
  language,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const text = { type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href: 'https://example.org/tides' } }] }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [text] }] }
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere', content })
  await page.goto(`/publish/${id}`)
  const link = page.getByRole('link', { name: 'example.org/tides', exact: true })
  await link.click()
  await expect(page).toHaveURL(/\/advertise\/links\/\w+$/)
  const linkId = new URL(page.url()).pathname.split('/').at(-1)
  for (const agent of [BROWSER, 'Googlebot/2.1'])
    await request.get(`/r/${linkId}`, { maxRedirects: 0, headers: { 'user-agent': agent } })
  const device = page
    .getByRole('region', { name: t('links.devices') })
    .getByRole('listitem')
    .filter({ hasText: t('links.device.desktop') })
  await expect(device).toContainText(`1 ${t('ui.clicks.humanCount', { count: 1 })}`)
  const file = page.getByRole('link', { name: t('links.sourcesCsv') })
  const sources = await page.request.get((await file.getAttribute('href')) ?? '')
  expect(await sources.text()).toMatch(/device[,;]desktop[,;]1[,;]1\n/)

  const both = t('ui.clicks.ofRaw', { count: 2, human: '1', raw: '2' })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const address of [page.url(), '/dashboard', '/dashboard/newsletters', `/publish/${id}`]) {
    await page.goto(address)
    if (address.startsWith('/dashboard')) await expect(page.getByText(both).first()).toBeVisible()
    else await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Drawings are as wide as their place only once it is measured.
    await expect.poll(() => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth), address).toBe(390)
  }
  const counts = page.getByRole('row').filter({ has: link }).getByRole('cell')
  for (const [cell, of] of [
    [2, t('publish.links.human')],
    [3, t('publish.links.raw')],
  ] as const) {
    await expect(counts.nth(cell)).toHaveAttribute('data-column', of)
    await expect(counts.nth(cell)).toHaveText(cell === 2 ? '1' : '2')
    expect(await counts.nth(cell).evaluate((each) => each.getBoundingClientRect().right)).toBeLessThanOrEqual(390)
  }
})

test('a newsletter that does not count clicks says so where they would be, also of a letter with a link', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  await page.request.patch(`/api/newsletters/${newsletter.id}`, { data: { clickPrivacy: 'off' }, headers })
  const email = await subscribe({ subscriber, owner: page, t, newsletter })
  const link = { type: 'text', text: 'The almanac', marks: [{ type: 'link', attrs: { href: 'https://example.com/' } }] }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [link] }] }
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere', content })
  await page.goto(`/publish/${id}`)
  await expect(page.getByText(t('publish.links.off'))).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText(t('dashboard.linksOff'))).toBeVisible()
  const { rows } = await (
    await page.request.get(`/api/newsletters/${newsletter.id}/subscribers?search=${email}`)
  ).json()
  await page.goto(`/subscribers/${rows[0].id}`)
  await expect(page.getByText(t('subscribers.detail.linksOff'))).toBeVisible()

  // What is kept from now on says nothing of what was before.
  await page.request.patch(`/api/newsletters/${newsletter.id}`, { data: { clickPrivacy: 'person' }, headers })
  await page.goto('/subscribers/segments/new')
  await page.getByRole('combobox', { name: t('segments.about') }).click()
  await page.getByRole('option', { name: t('segments.subject.clicked'), exact: true }).click()
  const [since = ''] = t('segments.keptSince.clickers', { day: '|' }).split('|')
  await expect(page.getByRole('note').filter({ hasText: since })).toBeVisible()
  const [before = ''] = t('links.notAllAlong', { at: '|' }).split('|')
  await page.goto(`/publish/${id}`)
  await expect(page.getByText(before)).toBeVisible()
})
