import type { Page } from '@playwright/test'
import { languageName } from '../server/languages.ts'
import { expect, test } from './fixtures.ts'
import { expectFirstFocus } from './focus.ts'
import { createNewsletter } from './owners.ts'
import { takeCards } from './plans.ts'

test('a keyboard alone makes a link and a placement, and blocks and frees a day', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/links')
  await tabTo(page, t('links.add'))
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('dialog').locator('input').first())
  await page.keyboard.type('example.org/tides')
  // A letter that is a shortcut of the page, on a button of the dialog: it is meant for the dialog.
  await tabTo(page, t('ui.cancel'))
  await page.keyboard.press('c')
  await tabTo(page, t('links.make'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/advertise\/links\/\w+/)
  // A new page begins at its beginning, not before the navigation.
  await expect(page.locator('#main')).toBeFocused()
  await tabTo(page, t('links.disable'))
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('dialog').getByRole('button', { name: t('ui.keep') }))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('links.enable') })).toBeFocused()

  await page.goto('/advertise/placements')
  await tabTo(page, t('sponsorship.add'))
  await page.keyboard.press('Enter')
  // It begins at its first field: the space would close it at its cross.
  await expectFirstFocus(page, page.getByRole('dialog').locator('input').first())
  await page.keyboard.type('At the foot')
  await typeInto(page, t('sponsorship.disclosure', { language: languageName(language, language) }), 'From our sponsor')
  await typeInto(page, t('sponsorship.price', { currency: 'EUR' }), '60')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('main').getByText('At the foot')).toBeVisible()
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 6))
  await expect(page.locator('main :focus')).toHaveCount(1)
  await tabTo(page, day)
  const saved = page.waitForResponse('**/sponsorship/settings')
  await page.keyboard.press('Space')
  await saved
  const hides = page.getByRole('switch', { name: t('sponsorship.house.hide') })
  await tabTo(page, t('sponsorship.house.hide'))
  await page.keyboard.press('Space')
  await expect(hides).toBeChecked()
  await expect(hides).toBeFocused()

  // Set before the page is opened: a page that is open may send one more request past a new route.
  let sent = 0
  await page.route('**/sponsorship/days', async (route) => {
    sent += 1
    await again
    await route.continue()
  })
  let goOn = () => {}
  const again = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.goto('/advertise/calendar')
  const first = page.getByRole('columnheader').getByRole('button').first()
  await tabTo(page, (await first.getAttribute('aria-label')) ?? '')
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('dialog').locator('input:focus'))
  await page.keyboard.type('Holiday')
  await page.keyboard.press('Enter')
  // Whoever presses twice sends it once.
  await page.keyboard.press('Enter')
  goOn()
  await expect(page.getByRole('columnheader').first()).toContainText('Holiday')
  expect(sent).toBe(1)
  await expect(first).toBeFocused()
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('dialog').locator(':focus'))
  await tabTo(page, t('sponsorship.unblock'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader').first()).not.toContainText('Holiday')
  await expect(first).toBeFocused()
  // The cells of the last day move the table sideways. Those of the first are then not under the placements.
  const free = page.getByRole('main').getByRole('button', { name: /60/ })
  await free.last().focus()
  for (let cells = await free.count(); cells > 1; cells -= 1) await page.keyboard.press('Shift+Tab')
  await expect(free.first()).toBeFocused()
  const [cell, side] = [await free.first().boundingBox(), await page.getByRole('rowheader').first().boundingBox()]
  expect(cell?.x).toBeGreaterThanOrEqual((side?.x ?? 0) + (side?.width ?? 0))
})

test('a keyboard alone makes a plan, a coupon and a gift, and looks at a figure', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/charge/plans')
  await tabTo(page, t('plans.new'))
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await typeInto(page, t('plans.editor.name', { language: languageName(language, language) }), 'Membership')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/charge\/plans$|\/charge\/plans\/\d+/)

  await takeCards(page)
  await page.goto('/charge/plans')
  await tabTo(page, t('plans.coupons.add'))
  await page.keyboard.press('Enter')
  const code = page.getByLabel(t('plans.coupons.code'), { exact: true })
  await expectFirstFocus(page, code)
  await tabTo(page, t('ui.cancel'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('plans.coupons.add') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, code)
  await page.keyboard.type('LOWTIDE')
  await typeInto(page, t('plans.coupons.takesOff'), '20')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'LOWTIDE' })).toBeVisible()
  await expect(page.getByRole('button', { name: t('plans.coupons.add') })).toBeFocused()
  // Once it is closed, its row has no button any more: the focus goes on beside it.
  await tabTo(page, t('plans.coupons.closeOne', { code: 'LOWTIDE' }))
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('dialog').getByRole('button', { name: t('ui.keep') }))
  await page.keyboard.press('Tab')
  const close = page.getByRole('dialog').getByRole('button', { name: t('plans.coupons.close'), exact: true })
  await expect(close.last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row').last()).toContainText(t('plans.coupons.closed'))
  await expect(page.locator('main :focus')).toHaveCount(1)

  // Once all is saved there is nothing to save: the focus goes on beside the button.
  await page.goto('/charge/plans')
  const tax = page.getByRole('switch', { name: t('plans.settings.tax') })
  await tabTo(page, t('plans.settings.tax'))
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: t('plans.save') }).and(page.locator(':focus'))).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('plans.saved'))).toBeVisible()
  await expect(tax).toBeFocused()

  await tabTo(page, t('gifts.make'))
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.getByRole('combobox', { name: t('plans.columns.plan') }))
  await typeInto(page, t('gifts.note'), 'Fair')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'Fair' })).toBeVisible()
  await expect(page.getByRole('button', { name: t('gifts.make') })).toBeFocused()

  await page.goto('/charge/figures')
  await tabTo(page, t('figures.forAccountant'))
  await page.keyboard.press('Enter')
  const items = page.getByRole('menuitem')
  await expectFirstFocus(page, page.locator('[role="menu"] :focus'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(items.first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t('figures.forAccountant') })).toBeFocused()
})

/** Presses Tab, once it is there, until what has the focus is called so. Nobody would press it more often. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page
    .getByRole('button', { name, exact: true })
    .or(page.getByLabel(name))
    .or(page.getByRole('link', { name, exact: true }))
  await expect(wanted.first()).toBeAttached()
  const found = wanted.and(page.locator(':focus'))
  for (let pressed = 0; pressed < 70; pressed += 1) {
    await page.keyboard.press('Tab')
    if ((await found.count()) === 1) return
  }
  throw new Error(`Tab does not reach “${name}”`)
}

async function typeInto(page: Page, name: string, words: string): Promise<void> {
  const field = page.getByLabel(name)
  if (!(await field.and(page.locator(':focus')).count())) await tabTo(page, name)
  await page.keyboard.type(words)
}
