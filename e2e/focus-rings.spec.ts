import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { sellPlan, takeCards } from './plans.ts'
import { sell } from './sponsors.ts'

interface Stop {
  name: string
  /** What hides a part of its ring, or null. */
  cutBy: string | null
}

/** What has the focus, or null on the page itself. */
const focused = (): (Stop & { isNew: boolean }) | null => {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return null
  const isNew = activeElement.dataset.reached === undefined
  activeElement.dataset.reached = ''
  const name =
    (activeElement.ariaLabel ?? activeElement.textContent ?? '').trim() || activeElement.outerHTML.slice(0, 120)
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(activeElement)
  const room = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
  const box = activeElement.getBoundingClientRect()
  const ring = { left: box.left - room, right: box.right + room, top: box.top - room, bottom: box.bottom + room }
  const isCutAt = (side: 'left' | 'right' | 'top' | 'bottom', edge: number) =>
    (side === 'left' || side === 'top' ? edge - ring[side] : ring[side] - edge) > 0.5
  /** What stays where it is while the rest scrolls, such as the title of a dialog. */
  const isUnder = (y: number) => {
    const over = document.elementFromPoint((box.left + box.right) / 2, Math.min(Math.max(y, 0), innerHeight - 1))
    for (let one = over; one && !one.contains(activeElement); one = one.parentElement)
      if (getComputedStyle(one).position === 'sticky') return `what stays in its place: ${one.className}`
    return null
  }
  const cutBy = () => {
    // One around all choices is in the place of one around each.
    if (room <= 0 || activeElement.matches('[type="radio"]')) return null
    const over = isUnder(ring.top + 1) ?? isUnder(ring.bottom - 1)
    if (over) return over
    if (isCutAt('left', 0) || isCutAt('right', innerWidth)) return 'the window'
    for (let around = activeElement.parentElement; around; around = around.parentElement) {
      if (around === document.body || around === document.documentElement) return null
      const { overflowX, overflowY, position } = getComputedStyle(around)
      const { left, top } = around.getBoundingClientRect()
      const inner = { left: left + around.clientLeft, top: top + around.clientTop }
      const isCut =
        (overflowX !== 'visible' &&
          (isCutAt('left', inner.left) || isCutAt('right', inner.left + around.clientWidth))) ||
        (overflowY !== 'visible' && (isCutAt('top', inner.top) || isCutAt('bottom', inner.top + around.clientHeight)))
      if (isCut) return `${around.tagName} ${around.className}`
      if (position === 'fixed') return null
    }
    return null
  }
  return { name, isNew, cutBy: cutBy() }
}

/** Goes through a page, or its dialog, by the Tab key, and says whose ring is cut. */
async function cutRings(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop[]> {
  const cut: Stop[] = []
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-reached]')) delete one.dataset.reached
    if (!document.querySelector('[role="dialog"]')) document.getElementById('main')?.focus()
  })
  for (;;) {
    await page.keyboard.press(key)
    const stop = await page.evaluate(focused)
    if (!stop?.isNew) return cut
    if (stop.cutBy) cut.push({ name: stop.name, cutBy: stop.cutBy })
  }
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 720, height: 450 },
  { width: 320, height: 640 },
]

test('nothing cuts the ring of what a keyboard reaches: at the edge of a table that scrolls, in a notice, in an address to copy', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await sell({ page, baseURL, newsletterId: id })
  await sellPlan(page, baseURL, id)
  await takeCards(page)
  const made = await page.request.post(`/api/newsletters/${id}/charge/coupons`, {
    data: { code: 'SUMMER', percent: 20 },
    headers: { origin: baseURL ?? '' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  for (const path of ['/subscribers', '/settings/relays', '/charge/plans', '/advertise', '/advertise/links']) {
    await page.goto(path)
    await expect(page.locator('main h1').first()).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: t('ui.loading') })).toHaveCount(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      expect.soft(await cutRings(page), `${path} at ${size.width} pixels`).toEqual([])
    }
  }
})

test('in a dialog the ring of what a keyboard reaches is whole, also in a low window', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await sell({ page, baseURL, newsletterId: id })
  await sellPlan(page, baseURL, id)
  for (const [path, name] of [
    ['/advertise/placements', t('sponsorship.add')],
    ['/advertise/placements', t('sponsorship.house.add')],
    ['/advertise/calendar', t('sponsorship.addDay')],
    ['/settings/relays', t('relays.ui.add')],
    ['/charge/subscriptions', t('plans.outside.byHand')],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const key of ['Tab', 'Shift+Tab'] as const)
        expect.soft(await cutRings(page, key), `${name} by ${key} at ${size.width} pixels`).toEqual([])
    }
  }
})
