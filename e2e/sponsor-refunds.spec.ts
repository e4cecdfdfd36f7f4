import { typedSum, writtenSum } from '../server/charge/money.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { sell } from './sponsors.ts'

test('an owner notes a part of the money as given back, too much is refused at its field, and the last part ends the booking', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('pay')
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  const sum = (amount: number) => writtenSum(amount, 'eur', language)
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByLabel(`${t('sponsorship.refund.amount')} (EUR)`)
  const open = () => page.getByRole('button', { name: t('sponsorship.act.refund') }).click()
  const note = () => dialog.getByRole('button', { name: t('sponsorship.act.refund') }).click()

  await open()
  await expect(amount).toHaveValue(typedSum(41_000, 'eur', language))
  await expect(dialog).toContainText(t('sponsorship.refund.textBefore', { left: sum(41_000) }))
  await amount.fill('410.001')
  await note()
  await expect(dialog.getByText(t('plans.badSum'))).toBeVisible()
  await expect(amount).toBeFocused()
  await amount.fill(typedSum(41_050, 'eur', language))
  await note()
  await expect(dialog.getByText(t('errors.more_than_is_left', { left: sum(41_000) }))).toBeVisible()
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill(typedSum(12_050, 'eur', language))
  await note()
  await expect(dialog).toBeHidden()
  const what = page.getByRole('region', { name: t('sponsorship.what') })
  await expect(what).toContainText(t('sponsorship.refundedOf', { sum: sum(12_050), whole: sum(41_000) }))
  const step = t('sponsorship.happened.refund_part')
  await expect(page.getByText(t('sponsorship.stepSum', { step, sum: sum(12_050) }))).toBeVisible()

  await open()
  await expect(amount).toHaveValue(typedSum(28_950, 'eur', language))
  await note()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(t('sponsorship.nothingNext'))).toBeVisible()
  const last = { step: t('sponsorship.state.refunded'), sum: sum(28_950) }
  await expect(page.getByText(t('sponsorship.stepSum', last))).toBeVisible()

  await page.goto('/settings/audit')
  const noted = { sponsor: 'Halyard Books', step: '' }
  await expect(page.getByText(t('audit.act.booking_money_noted', noted)).first()).toContainText(sum(28_950))
  await page.goto('/advertise')
  await page.getByText(t('figures.asTable')).first().click()
  await expect(page.getByRole('cell', { name: sum(41_000), exact: true }).last()).toBeVisible()
})
