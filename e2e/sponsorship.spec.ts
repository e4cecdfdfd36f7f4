import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
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
  await dialog.getByLabel(t('sponsorship.name', { language: 'English' })).fill('Middle')
  await dialog.getByLabel(t('sponsorship.disclosure', { language: 'English' })).fill('From our sponsor')
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
  await expect(subscriber.getByRole('heading', { name: t('sponsors.asked.title') })).toBeVisible()
  await subscriber.goto(linkIn(await readMail(page, newsletter.id, { to: email }), '/sponsor/confirm/'))
  await subscriber.getByRole('button', { name: t('sponsors.confirm.button') }).click()
  await expect(subscriber.getByText(t('sponsors.own.state.requested'))).toBeVisible()
  const own = subscriber.url()

  await page.goto('/advertise')
  await page
    .getByRole('link', { name: /Halyard Books/ })
    .first()
    .click()
  const act = async (name: 'accept' | 'invoice' | 'approve') => {
    await page.getByRole('button', { name: t(`sponsorship.act.${name}`) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t(`sponsorship.act.${name}`) })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await act('accept')
  await act('invoice')

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
  await expect(page.getByRole('link', { name: /Halyard Books/ })).toBeVisible()
})
