import { languageName } from '../server/languages.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('who adds a price, a limit of a domain or a placement goes on in its first field', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto('/charge/plans/new')
  const currencies = page.getByRole('combobox', { name: t('plans.price.currency'), exact: true })
  const addPrice = page.getByRole('button', { name: t('plans.price.add') })
  for (const count of [1, 2]) {
    await addPrice.press('Enter')
    await expect(currencies).toHaveCount(count)
    await expect(currencies.last()).toBeFocused()
    // A list that opened by itself would cover the fields below.
    await expect(page.getByRole('listbox')).toHaveCount(0)
  }

  const limits = { limits: [{ domain: 'orange.example', perSecond: 2, perHour: null }] }
  const address = `/api/newsletters/${id}/relays/domain-limits`
  const set = await page.request.put(address, { data: limits, headers: { origin: baseURL ?? '' } })
  expect(set.ok(), await set.text()).toBe(true)
  await page.goto('/settings/relays')
  const domains = page.getByRole('textbox', { name: t('relays.ui.domains.domain'), exact: true })
  await expect(domains).toHaveCount(1)
  await expect(domains).not.toBeFocused()
  await page.getByRole('button', { name: t('relays.ui.domains.add') }).press('Enter')
  await expect(domains).toHaveCount(2)
  await expect(domains.last()).toBeFocused()

  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.add') })
    .first()
    .press('Enter')
  const own = { language: languageName(language, language) }
  await expect(page.getByRole('dialog').getByLabel(t('sponsorship.name', own))).toBeFocused()
})
