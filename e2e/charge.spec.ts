import type { Page } from '@playwright/test'
import { writtenSum } from '../server/charge/money.ts'
import { languageLabel, languageName, otherLanguages } from '../server/languages.ts'
import { type Translate, translator } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner, signUp } from './owners.ts'
import { sellPlan } from './plans.ts'
import { ownPageOf } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

const outsideOf = (page: Page, t: Translate) =>
  page.getByRole('region', { name: t('plans.outside.title'), exact: true })

test('a new owner who came for Charge makes a plan, sells it by hand, and sees what is done', async ({
  page,
  subscriber,
  t,
  language,
}) => {
  await page.goto('/?product=charge')
  await expect(page).toHaveURL('/signup?product=charge')
  await signUp(page, t, { owner: newOwner(), newsletter: 'Low Water' })
  await expect(page).toHaveURL('/charge')
  const steps = page.getByRole('region', { name: t('shell.steps.title') })
  await expect(steps).toContainText(t('shell.steps.of', { done: '0', all: '3' }))
  await expect(steps).toContainText('Stripe')

  await steps.getByRole('link', { name: t('charge.steps.plan.action') }).click()
  const save = page.getByRole('button', { name: t('plans.save'), exact: true })
  await save.click()
  const name = page.getByRole('textbox', {
    name: t('plans.editor.name', { language: languageName(language) }),
  })
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(t('errors.fields.required'))
  await expect(page.getByLabel(t('plans.editor.trial'))).toHaveAccessibleDescription(t('plans.editor.trialByCard'))
  await page.getByLabel(t('plans.editor.name', { language: languageName('en', language) })).fill('Supporter')
  await page
    .getByLabel(t('plans.editor.promise', { language: languageName('en', language) }))
    .fill('Every letter to its last line.')
  // In the other language it has no sentence of ours that is not downloaded yet.
  const preview = page.getByRole('region', { name: t('plans.preview.title') })
  for (const other of [...otherLanguages(language), language]) {
    await preview.getByText(languageLabel(other)).click()
    await expect(preview).toContainText(translator(other)('plans.preview.outside'))
  }
  const price = page.getByRole('textbox', { name: /EUR|GBP/ }).first()
  if (!(await price.isVisible())) await page.getByRole('button', { name: t('plans.price.add') }).click()
  await price.fill('fifty')
  await save.click()
  await expect(price).toBeFocused()
  // What the server would refuse is said before anything is kept.
  await price.fill('99999999999')
  await save.click()
  const sum = writtenSum(
    99_999_999,
    (await price.getAttribute('aria-label'))?.includes('GBP') ? 'gbp' : 'eur',
    language,
  )
  await expect(price).toHaveAccessibleDescription(t('plans.mostSum', { sum }))
  await price.fill('0')
  await save.click()
  await expect(price).toHaveAccessibleDescription(t('plans.zeroPrice'))
  const newsletters = (await (await page.request.get('/api/newsletters')).json()) as { newsletters: { id: string }[] }
  const kept = await page.request.get(`/api/newsletters/${newsletters.newsletters[0]?.id}/charge/plans`)
  expect((await kept.json()).plans).toEqual([])
  await price.fill('54')
  await page.route('**/charge/plans', (route) => route.abort(), { times: 1 })
  await save.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await save.click()
  await expect(page.getByText(t('plans.saved'))).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Supporter' })).toHaveCount(1)

  await expect(page.getByRole('link', { name: t('charge.steps.look.action') })).toBeVisible()
  await page.goto('/charge/subscriptions')
  await page.getByRole('button', { name: t('plans.outside.byHand') }).click()
  await expect(page.getByRole('dialog', { name: t('plans.enter.title') })).toBeVisible()
  await page.goto('/charge')
  await expect(steps).toContainText(t('shell.steps.of', { done: '1', all: '3' }))
  const plansPage = await steps.getByRole('link', { name: t('charge.steps.look.action') }).getAttribute('href')
  await subscriber.goto(plansPage ?? '')
  await expect(subscriber.getByRole('heading', { name: 'Supporter' })).toBeVisible()
  await expect(subscriber.locator('.plan-price')).toContainText('54')

  await expect(page.getByText(t('figures.noneRecurring'))).toBeVisible()

  const email = uniqueAddress('outside')
  await steps.getByRole('button', { name: t('charge.steps.pay.byHand') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('plans.enter.email')).fill(email)
  await expect(dialog.getByLabel(t('plans.enter.amount'))).not.toHaveValue('')
  await dialog.getByLabel(t('plans.enter.amount')).fill('0')
  await dialog.getByRole('button', { name: t('plans.enter.button') }).click()
  const names = { complimentary: t('plans.ways.complimentary'), gift: t('plans.ways.gift') }
  await expect(dialog.getByText(t('plans.enter.noSum', names))).toBeVisible()
  await dialog.getByLabel(t('plans.enter.amount')).fill('54')
  await dialog.getByLabel(t('plans.enter.note')).fill('2026-031')
  await dialog.getByRole('button', { name: t('plans.enter.button') }).click()
  await expect(dialog).toBeHidden()
  const row = outsideOf(page, t).getByRole('row', { name: email })
  await expect(row).toContainText('2026-031')
  await expect(row).toContainText(t('plans.means.transfer'))
  await expect(steps).toContainText(t('shell.steps.of', { done: '2', all: '3' }))
})

test('a file of what is paid outside is tried line by line, and only what is right is entered', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await sellPlan(page, baseURL, id)
  await page.goto('/charge')
  const email = uniqueAddress('file')
  const csv = [
    'email,plan,until,amount',
    `${email},Supporter,2099-12-31,54`,
    'nobody,Supporter,2099-12-31,54',
    `${uniqueAddress('file')},Silver,2099-12-31,54`,
    `${uniqueAddress('file')},Supporter,2020-01-01,54`,
  ].join('\n')
  await outsideOf(page, t)
    .getByRole('button', { name: t('plans.outside.byFile') })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: 'paid.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  for (const [line, result] of [
    ['2', 'new_address'],
    ['3', 'no_address'],
    ['4', 'unknown_plan'],
    ['5', 'past_end'],
  ] as const) {
    const row = dialog.getByRole('row').filter({ has: page.getByRole('cell', { name: line, exact: true }) })
    await expect(row).toContainText(t(`plans.file.results.${result}`))
  }
  await expect(dialog.getByRole('listitem')).toHaveText([
    t('plans.file.sum', { count: 1, n: '1', plan: 'Supporter', sum: writtenSum(5400, 'eur', language) }),
  ])
  await expect(dialog.getByRole('row', { name: email })).toContainText(
    t('plans.price.year', { sum: writtenSum(5400, 'eur', language) }),
  )
  await dialog.getByRole('button', { name: t('plans.file.enter', { count: 1, n: '1' }) }).click()
  await expect(page.getByText(t('plans.file.done', { count: 1, n: '1' }))).toBeVisible()
  // One subscription is there, and the next is entered from the whole list too.
  await page.goto('/charge/subscriptions')
  await expect(page.getByRole('row', { name: email })).toBeVisible()
  await expect(page.getByRole('button', { name: t('plans.outside.byFile') })).toBeVisible()
  await page.getByRole('button', { name: t('plans.outside.byHand') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('ui.cancel') })
    .click()
  await page.goto('/charge')
  const row = outsideOf(page, t).getByRole('row', { name: email })
  await expect(row).toBeVisible()
  // On a phone a row stands below the one before, with its button in sight.
  await page.setViewportSize({ width: 390, height: 844 })
  const button = row.getByRole('button', { name: t('plans.change.of', { name: email }) })
  await button.scrollIntoViewIfNeeded()
  expect(await row.locator('xpath=ancestor::table').evaluate((table) => table.scrollWidth)).toBeLessThanOrEqual(390)
  await expect(button).toBeInViewport({ ratio: 1 })
})

for (const way of ['complimentary', 'gift'] as const)
  test(`a subscription that costs nothing (${way}) is changed on the page of its subscriber`, async ({
    page,
    t,
    language,
    baseURL,
  }) => {
    const { id } = await createNewsletter(page, baseURL, language)
    await sellPlan(page, baseURL, id)
    const { plans } = await (await page.request.get(`/api/newsletters/${id}/charge/plans`)).json()
    const planId = plans.find(({ kind }: { kind: string }) => kind === 'paid').id
    const entered = await page.request.post(`/api/newsletters/${id}/charge/subscriptions`, {
      data: { email: uniqueAddress('seat'), planId, way, until: way === 'gift' ? '2090-01-01T00:00:00Z' : null },
      headers: { origin: baseURL ?? '' },
    })
    const { subscriber } = (await entered.json()) as { subscriber: { id: string } }
    await page.goto(`/subscribers/${subscriber.id}`)
    await page.getByRole('button', { name: t('plans.change.button'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('plans.enter.note')).fill('Seat 12')
    await dialog.getByRole('button', { name: t('plans.save') }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Seat 12')).toBeVisible()

    const change = page.getByRole('button', { name: t('plans.change.button'), exact: true })
    await change.click()
    await dialog.getByRole('button', { name: `${t('plans.change.end')}…` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('plans.change.end'), exact: true })
      .click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const over = page.getByText(t('plans.state.ended'))
    await expect(over).toBeVisible()
    // Another note opens nothing again; a day to come does.
    await change.click()
    await dialog.getByLabel(t('plans.enter.note')).fill('Seat 13')
    await dialog.getByRole('button', { name: t('plans.save') }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Seat 13')).toBeVisible()
    await expect(over).toBeVisible()
  })

test('an owner makes a code, and whoever has it takes the gift by mail and sees it on their own page', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await sellPlan(page, baseURL, newsletter.id)
  await page.goto('/charge/plans')
  const gifts = page.getByRole('region', { name: t('gifts.title') })
  await gifts.getByRole('button', { name: t('gifts.make') }).click()
  await gifts.getByLabel(t('gifts.months')).fill('6')
  await gifts.getByLabel(t('gifts.note')).fill('Library')
  await gifts.getByRole('button', { name: t('gifts.make') }).click()
  const code = (await gifts.getByRole('cell').locator('b').textContent()) ?? ''
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)

  await subscriber.goto(`/plans/${newsletter.id}`)
  await subscriber.getByRole('link', { name: t('gifts.link') }).click()
  const email = uniqueAddress('gifted')
  const send = async (typed: string) => {
    await subscriber.getByLabel(t('gifts.page.code')).fill(typed)
    await subscriber.getByLabel(t('subscribers.page.email')).fill(email)
    await subscriber.getByRole('button', { name: t('gifts.page.button') }).click()
  }
  // The browser's own words may be in another language.
  await subscriber.getByRole('button', { name: t('gifts.page.button') }).click()
  await expect(subscriber.getByRole('alert').first()).toBeVisible()
  await send('AAAA-AAAA-AAAA')
  await expect(subscriber.getByRole('alert')).toHaveText(t('gifts.page.wrongCode'))
  await send(code.toLowerCase())
  await expect(subscriber.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
  await expect(subscriber.getByText(t('page.caught.text'))).toBeVisible()
  await subscriber.goto(linkIn(await readMail(page, newsletter.id, { to: email }), '/gift/'))
  await subscriber.getByRole('checkbox').check()
  await subscriber.getByRole('button', { name: t('gifts.take.button') }).click()
  await expect(subscriber.getByRole('heading', { name: t('gifts.taken.title') })).toBeVisible()
  await subscriber.getByRole('link', { name: t('gifts.taken.read') }).click()
  await expect(subscriber.getByRole('heading', { name: t('readers.here.title') })).toBeVisible()

  await subscriber.goto(await ownPageOf(email, { subscriber, owner: page, t, newsletter }))
  const own = subscriber.getByRole('region', { name: t('readers.own.titleGiven') })
  await expect(own).toContainText('Supporter')

  await page.reload()
  await expect(gifts.getByRole('row', { name: code })).toContainText(email)
})
