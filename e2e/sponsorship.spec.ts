import { languageName } from '../server/languages.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'
import { sell } from './sponsors.ts'
import { uniqueAddress } from './unique-address.ts'

test('a sponsor asks for a day, is accepted, pays outside, sends in words, and sees them approved', async ({
  page,
  subscriber,
  t,
  baseURL,
  language,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.add') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('sponsorship.name', { language: languageName('en', language) })).fill('Middle')
  await dialog
    .getByLabel(t('sponsorship.disclosure', { language: languageName('en', language) }))
    .fill('From our sponsor')
  await dialog.getByLabel(t('sponsorship.price', { currency: 'EUR' })).fill('410')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expect(dialog).toBeHidden()
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 6))
  await page.getByText(weekday, { exact: true }).click()
  await page.getByText(t('sponsorship.page.states.open')).click()
  await page.getByRole('button', { name: t('ui.save') }).click()
  await expect(page.getByText(t('sponsorship.page.saved'))).toBeVisible()

  const email = uniqueAddress('sponsor')
  await subscriber.goto(`/sponsor/${newsletter.id}`)
  await subscriber.locator('.sponsor-slot').first().click()
  await subscriber.getByLabel(t('sponsors.page.sponsor')).fill('Halyard Books')
  await subscriber.locator('#email').fill(email)
  await subscriber.getByRole('button', { name: t('sponsors.page.ask') }).click()
  await expect(subscriber.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
  await subscriber.goto(linkIn(await readMail(page, newsletter.id, { to: email }), '/sponsor/confirm/'))
  // It stands in the column of the pages that say one thing.
  const column = await subscriber.getByRole('main').boundingBox()
  const width = subscriber.viewportSize()?.width ?? 0
  expect(column).toMatchObject({ x: (width - 680) / 2, width: 680 })
  await subscriber.getByRole('button', { name: t('sponsors.confirm.button') }).click()
  await expect(subscriber.getByText(t('sponsors.own.state.requested'))).toBeVisible()
  const own = subscriber.url()

  await page.goto('/advertise')
  const slots = page.getByRole('region', { name: t('sponsorship.nextSlots'), exact: true })
  const asked = slots.getByRole('row').filter({ hasText: 'Halyard Books' })
  await expect(asked).toContainText(t('sponsorship.slots.answer', { count: 1 }))
  await asked.getByRole('link', { name: /Halyard Books/ }).click()
  const act = async (name: 'accept' | 'invoice' | 'pay' | 'approve') => {
    await page.getByRole('button', { name: t(`sponsorship.act.${name}`) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t(`sponsorship.act.${name}`) })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await act('accept')
  await act('invoice')
  await act('pay')
  const steps = page.getByRole('region', { name: t('sponsorship.steps') })
  const noted = steps.getByRole('listitem').filter({ hasText: t('sponsorship.notedBy', { name: newOwner().name }) })
  await expect(noted).toContainText(t('sponsorship.state.paid'))
  await page.goto('/advertise/calendar')
  const cell = page.getByRole('link', { name: /Halyard Books/ })
  await expect(cell).toHaveAccessibleName(new RegExp(t('sponsorship.textMissing.awaited')))
  await cell.click()

  await subscriber.goto(own)
  await subscriber.getByLabel(t('sponsors.own.field.text')).fill('An almanac for a jacket pocket.')
  await subscriber.getByLabel(t('sponsors.own.field.label')).fill('Order it')
  await subscriber.getByLabel(t('sponsors.own.field.target')).fill('https://halyard.example/')
  await subscriber.getByRole('button', { name: t('sponsors.own.send') }).click()
  await expect(subscriber.getByText(t('sponsors.own.notice.sent'))).toBeVisible()

  await page.reload()
  await act('approve')
  await subscriber.goto(own)
  await expect(subscriber.getByText(t('sponsors.own.state.approved'))).toBeVisible()

  await page.goto('/advertise/calendar')
  await expect(cell).toBeVisible()
  await expect(cell).not.toHaveAccessibleName(new RegExp(t('sponsorship.textMissing.awaited')))
})

/** The smallest PNG of one red dot. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)
const image = { name: 'dot.png', mimeType: 'image/png', buffer: dot }

test('a sponsor sees what is too long and what readers will see while they type, and sends an image', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await page.goto(sold.own)
  const preview = page.locator('#creative-preview')
  await expect(preview).toContainText(t('sponsors.own.previewLive'))
  const text = page.getByLabel(t('sponsors.own.field.text'), { exact: true })
  await text.fill('word '.repeat(14))
  await expect(page.locator('#text-count')).toHaveText(t('sponsors.own.used.words', { used: 14, count: 12 }))
  await expect(page.locator('#text-problem')).toHaveText(t('sponsors.own.over.words', { over: 2, count: 2 }))
  await expect(text).toHaveAttribute('aria-invalid', 'true')
  await text.fill('An <b>almanac</b> for a pocket.')
  await expect(page.locator('#text-problem')).toHaveCount(0)
  await expect(preview).toContainText('An <b>almanac</b> for a pocket.')
  await expect(preview).toContainText(language === 'fr' ? 'De notre annonceur' : 'From our sponsor')
  const target = page.getByLabel(t('sponsors.own.field.target'))
  await target.fill('javascript:alert(1)')
  await target.press('Tab')
  await expect(page.locator('#target-problem')).toHaveText(t('sponsors.own.problem.target'))
  await expect(preview.getByRole('link')).toHaveCount(0)
  // As people say an address: it is made a whole one.
  await target.fill('halyard.example/winter')
  await target.press('Tab')
  await expect(target).toHaveValue('https://halyard.example/winter')
  await expect(page.locator('#target-problem')).toHaveCount(0)
  await target.fill('javascript:alert(1)')
  await target.press('Tab')
  await expect(page.locator('#target-problem')).toBeVisible()
  await target.fill('https://halyard.example/')
  // While the field still has the focus: what goes when the button is pressed would move the button away from the pointer.
  await expect(page.locator('#target-problem')).toHaveCount(0)
  await expect(target).toBeFocused()
  await page.getByLabel(t('sponsors.own.field.label')).fill('Order it')
  await expect(preview.getByRole('link', { name: 'Order it' })).toHaveAttribute('href', 'https://halyard.example/')
  await page.locator('input[type="file"]').setInputFiles(image)
  await page.getByLabel(t('sponsors.own.field.alt')).fill('A red dot')
  await expect(preview.getByRole('img', { name: 'A red dot' })).toHaveAttribute('src', /^data:image\/png/)
  await page.getByRole('button', { name: t('sponsors.own.send') }).click()
  await expect(page.getByText(t('sponsors.own.notice.sent'))).toBeVisible()
  await expect(preview.getByRole('img', { name: 'A red dot' })).toHaveAttribute('src', /^\/media\//)
})

test('without a script a sponsor sends an image, hears what is wrong with their words kept, and sees it after', async ({
  page,
  subscriber,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await subscriber.goto(sold.own)
  await subscriber.getByLabel(t('sponsors.own.field.text'), { exact: true }).fill('An almanac.')
  await subscriber.getByLabel(t('sponsors.own.field.label')).fill('Order it')
  await subscriber.getByLabel(t('sponsors.own.field.target')).fill('https://halyard.example/')
  const file = subscriber.locator('input[type="file"]')
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await subscriber.getByLabel(t('sponsors.own.field.alt')).fill('A red dot')
  await subscriber.getByRole('button', { name: t('sponsors.own.send') }).click()
  await expect(subscriber.getByText(t('sponsors.own.problem.image_type'))).toBeVisible()
  await expect(subscriber.getByLabel(t('sponsors.own.field.text'), { exact: true })).toHaveValue('An almanac.')
  await file.setInputFiles(image)
  await subscriber.getByRole('button', { name: t('sponsors.own.send') }).click()
  await expect(subscriber.getByText(t('sponsors.own.notice.sent'))).toBeVisible()
  await expect(subscriber.locator('#creative-preview').getByRole('img', { name: 'A red dot' })).toBeVisible()
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  await expect(page.getByRole('img', { name: 'A red dot' }).first()).toBeVisible()
})

test('the address of a sponsor’s page is shown to be copied, and another one is made once that was meant', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  const section = page.getByRole('region', { name: t('sponsorship.link.title') })
  await section.getByRole('button', { name: t('sponsorship.link.show') }).press('Enter')
  await expect(section.getByRole('button', { name: t('ui.copy') })).toBeFocused()
  const shown = section.getByText(/^http/)
  const address = (await shown.textContent()) ?? ''
  const renew = section.getByRole('button', { name: t('sponsorship.link.renew') })
  const question = page.getByRole('dialog', { name: t('sponsorship.link.renewAsk') })
  await renew.press('Enter')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  expect((await page.request.get(address)).status()).toBe(200)
  await renew.click()
  await question.getByRole('button', { name: t('sponsorship.link.renew') }).click()
  await expect(shown).not.toHaveText(address)
  expect((await page.request.get(address)).status()).toBe(404)
})

test('a member enters what a sponsor says with an image, and sees it as readers will', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('invoice')
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  await page.getByRole('textbox', { name: t('sponsorship.creativeText') }).fill('An almanac for a pocket.')
  await page.getByLabel(t('sponsorship.creativeLabel')).fill('x'.repeat(41))
  await expect(page.getByText(t('errors.fields.at_most_characters', { count: 40 }))).toBeVisible()
  await page.getByLabel(t('sponsorship.creativeLabel')).fill('Order it')
  await page.getByLabel(t('sponsorship.creativeTarget')).fill('https://halyard.example/')
  await page.locator('input[type="file"]').setInputFiles(image)
  await page.getByLabel(t('sponsorship.imageAlt')).fill('A red dot')
  const preview = page.getByRole('region', { name: t('sponsorship.preview') })
  await expect(preview.getByRole('img', { name: 'A red dot' })).toBeVisible()
  await expect(preview).toContainText(language === 'fr' ? 'De notre annonceur' : 'From our sponsor')
  await page.getByRole('button', { name: t('sponsorship.saveCreative') }).click()
  await expect(page.getByText(t('sponsorship.creativeSaved'))).toBeVisible()
  await page.reload()
  await expect(preview.getByRole('img', { name: 'A red dot' })).toBeVisible()

  await sold.money('pay')
  await page.reload()
  const steps = page.getByRole('region', { name: t('sponsorship.steps') })
  await expect(steps.getByRole('listitem').last()).toContainText(t('sponsorship.state.paid'))
  await page.getByRole('button', { name: t('sponsorship.act.cancel') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('sponsorship.cancelText'))
  await expect(dialog).toContainText(/410/)
  await expect(dialog).toContainText(t('sponsorship.toSponsorShown'))
  await dialog.getByRole('button', { name: t('ui.keep') }).click()
  await expect(dialog).toBeHidden()
})

test('a text that comes in after it was read is not approved, is shown, and replaces nothing that was typed', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await sold.say('An almanac for a pocket.')
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  const text = page.getByRole('textbox', { name: t('sponsorship.creativeText') })
  await expect(text).toHaveValue('An almanac for a pocket.')
  const approve = page.getByRole('button', { name: t('sponsorship.act.approve'), exact: true })
  await approve.click()
  await sold.say('A casino for your pocket.')
  const dialog = page.getByRole('dialog')
  for (const _ of ['the first time', 'again']) {
    await dialog.getByRole('button', { name: t('sponsorship.act.approve') }).click()
    await expect(dialog.getByRole('alert')).toHaveText(t('errors.creative_changed'))
  }
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await expect(text).toHaveValue('A casino for your pocket.')

  await text.fill('An almanac, 2091.')
  await sold.say('A third text.')
  await page.getByRole('button', { name: t('sponsorship.saveCreative') }).click()
  const meanwhile = page.getByRole('alert').filter({ hasText: t('sponsorship.creativeMeanwhile') })
  await expect(meanwhile).toContainText('A third text.')
  await expect(text).toHaveValue('An almanac, 2091.')
  await approve.click()
  await expect(dialog).toContainText(t('sponsorship.creativeUnsaved'))
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await meanwhile.getByRole('button', { name: t('sponsorship.creativeKeep') }).click()
  await expect(meanwhile).toHaveCount(0)
  await page.getByRole('button', { name: t('sponsorship.saveCreative') }).click()
  await expect(page.getByText(t('sponsorship.creativeSaved'))).toBeVisible()
  await text.fill('An almanac, 2092.')
  await sold.say('A third text.')
  await page.getByRole('button', { name: t('sponsorship.saveCreative') }).click()
  await meanwhile.getByRole('button', { name: t('sponsorship.creativeTake') }).click()
  await expect(text).toHaveValue('A third text.')
  await expect(meanwhile).toHaveCount(0)
  await approve.click()
  await expect(dialog).not.toContainText(t('sponsorship.creativeUnsaved'))
  await dialog.getByRole('button', { name: t('sponsorship.act.approve') }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(t('sponsorship.state.approved')).first()).toBeVisible()
})

test('what a member does with a booking that was called off meanwhile is answered, and nothing of it is done', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  await page.getByRole('button', { name: t('sponsorship.act.invoice'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await sold.act('cancel')
  await dialog.getByRole('button', { name: t('sponsorship.act.invoice') }).click()
  await expect(dialog.getByRole('alert')).toHaveText(t('errors.booking_moved_on'))
  await expect(page.getByText(t('sponsorship.state.cancelled')).first()).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveText(t('errors.booking_moved_on'))
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await expect(page.getByRole('button', { name: t('sponsorship.act.invoice'), exact: true })).toHaveCount(0)
})

test('what is typed while a sponsor’s text is being saved, or read again after, is replaced by no other', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await sold.say('An almanac for a pocket.')
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  const text = page.getByRole('textbox', { name: t('sponsorship.creativeText') })
  const save = page.getByRole('button', { name: t('sponsorship.saveCreative') })
  const meanwhile = page.getByRole('alert').filter({ hasText: t('sponsorship.creativeMeanwhile') })
  for (const { method, address } of [
    { method: 'PUT', address: `**/bookings/${sold.bookingId}/creative` },
    { method: 'GET', address: `**/bookings/${sold.bookingId}` },
  ]) {
    const sent = `An almanac, ${method}.`
    await text.fill(sent)
    const held = Promise.withResolvers<void>()
    const isHeld = page.waitForRequest((request) => request.method() === method && request.url().includes('/bookings/'))
    await page.route(address, async (route) => {
      if (route.request().method() === method) await held.promise
      await route.continue()
    })
    await save.click()
    await isHeld
    await text.fill(`${sent} For a pocket.`)
    held.resolve()
    await expect(save).toBeEnabled()
    await sold.say(`Another text, ${method}.`)
    await save.click()
    await expect(meanwhile).toContainText(`Another text, ${method}.`)
    await expect(text).toHaveValue(`${sent} For a pocket.`)
    await meanwhile.getByRole('button', { name: t('sponsorship.creativeTake') }).click()
  }
})

test('the pages of sponsors hold on a phone and at twice the size of a laptop’s letters', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  // A window of 1440 pixels at 200 % has 720.
  for (const width of [390, 720]) {
    await page.setViewportSize({ width, height: 844 })
    for (const address of [`/sponsor/${id}`, sold.own]) {
      await page.goto(address)
      await expect(page.getByRole('main')).toBeVisible()
      const wide = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)
      expect(wide, `${address} at ${width} pixels`).toBe(width)
    }
    await page.getByLabel(t('sponsors.own.field.text'), { exact: true }).fill('Verylongwordwithoutanyspace'.repeat(20))
    await page.getByRole('button', { name: t('sponsors.own.send') }).click()
    await expect(page.getByText(t('sponsors.own.wrong'))).toBeVisible()
    const wide = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)
    expect(wide, `refused words at ${width} pixels`).toBe(width)
  }
})

test('a sponsor reaches every field by the keyboard, in the order in which they stand', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await page.goto(sold.own)
  await page.getByLabel(t('sponsors.own.field.name')).focus()
  const reached: string[] = []
  for (let n = 0; n < 7; n += 1) {
    reached.push(await page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? '')))
    await page.keyboard.press('Tab')
  }
  expect(reached).toEqual(['name', 'text', 'label', 'target', 'image', 'alt', t('sponsors.own.send')])
})

test('days that are pressed before the first of them is saved are all sold', async ({ page, t, baseURL, language }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/placements')
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const chip = (day: number) => page.getByRole('checkbox', { name: name.format(Date.UTC(2024, 0, day)), exact: true })
  const press = (day: number) => page.getByText(name.format(Date.UTC(2024, 0, day)), { exact: true }).click()
  const gate = Promise.withResolvers<void>()
  await page.route('**/sponsorship/settings', async (route) => {
    await gate.promise
    await route.continue()
  })
  await press(2)
  await expect(chip(2)).toBeChecked()
  await press(4)
  await expect(chip(4)).toBeChecked()
  gate.resolve()
  const weekdays = async () => {
    const answer = await page.request.get(`/api/newsletters/${newsletter.id}/sponsorship/placements`)
    return (await answer.json()).settings.weekdays
  }
  await expect.poll(weekdays).toEqual([2, 4])
  await expect(page.getByText(t('sponsorship.weekdaysSaved'))).toHaveCount(1)
  await expect(chip(2)).toBeChecked()
})

test('a sold day is the same for the owner and the sponsor, wherever on Earth the newsletter is and the owner sits', async ({
  page,
  subscriber,
  baseURL,
  language,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const { bookingId, own } = await sell({ page, baseURL, newsletterId: newsletter.id })
  const date = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', { dateStyle: 'full', timeZone: 'UTC' })
  const day = new RegExp(
    date
      .format(Date.UTC(2090, 0, 7))
      .replaceAll(',', '')
      .replaceAll(/\s/g, '\\s'),
    'i',
  )
  await subscriber.goto(own)
  await expect(subscriber.getByText(day).first()).toBeVisible()
  for (const timezone of ['Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await page.request.patch(`/api/newsletters/${newsletter.id}`, { data: { timezone }, headers })
    await page.goto(`/advertise/calendar/${bookingId}`)
    await expect(page.getByText(day).first()).toBeVisible()
  }
})
