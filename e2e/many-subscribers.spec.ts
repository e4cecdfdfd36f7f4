import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('an owner tags all who match, opens one of them, and takes the tags back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/newsletters/${id}${path}`, { data, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  const emails = ['many', 'many', 'many', 'other'].map(uniqueAddress)
  for (const email of emails) await post('/subscribers', { email })
  await post('/tags', { name: 'Press' })

  // What is searched stands in the address, and stays when the page is loaded again.
  await page.goto('/subscribers')
  await expect(page.locator('tbody tr')).toHaveCount(4)
  await page.keyboard.press('/')
  await page.keyboard.type('many')
  await expect(page).toHaveURL(/search=many/)
  await page.reload()
  await expect(page.locator('tbody tr')).toHaveCount(3)

  // The day by which the list is ordered is seen, whichever columns were chosen.
  await expect(page.getByRole('columnheader', { name: t('subscribers.list.changed') })).toBeHidden()
  await page.goto('/subscribers?search=many&sort=changed')
  await expect(page.getByRole('columnheader', { name: t('subscribers.list.changed') })).toBeVisible()
  await page.goto('/subscribers?search=many')
  await expect(page.locator('tbody tr')).toHaveCount(3)

  // By the keyboard: the second row is chosen, and from there all who match.
  await page.locator('tbody [data-opens]').first().focus()
  await page.keyboard.press('ArrowDown')
  const place = await page.locator('tbody').boundingBox()
  await page.keyboard.press(' ')
  await expect(page.getByText(t('subscribers.bulk.selected', { count: 1, n: '1' }), { exact: true })).toBeVisible()
  // What can be done with them moves no row.
  expect(await page.locator('tbody').boundingBox()).toEqual(place)

  // Who is selected is saved as a file, and the page and the selection stay.
  await page.getByRole('button', { name: t('subscribers.export.title') }).click()
  const saving = page.waitForEvent('download')
  const chosen = t('ui.within', { whole: t('subscribers.export.chosen'), part: t('subscribers.export.csv') })
  await page.getByRole('menuitem', { name: chosen }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^subscribers-.*\.csv$/)
  expect(
    readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(2)

  await page.getByRole('button', { name: t('subscribers.bulk.selectMatching') }).click()
  await expect(page.getByText(t('subscribers.bulk.everyMatch', { count: 3, n: '3' }))).toBeVisible()

  await page.getByRole('button', { name: `${t('subscribers.bulk.act.tag')}…` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toHaveText(t('subscribers.bulk.title.tag', { count: 3, n: '3' }))
  const which = dialog.getByRole('combobox', { name: t('subscribers.bulk.which') })
  await which.fill('Press')
  await expect(page.getByRole('option')).toHaveText(['Press'])
  await which.fill('Quay')
  // A name that no tag has is made with the first people who get it, and not when somebody only looks at it.
  const isNew = t('subscribers.bulk.newTag', { name: 'Quay' })
  await page.getByRole('option', { name: isNew }).click()
  await expect(which).toHaveValue(isNew)
  await which.fill('Press')
  await page.getByRole('option', { name: 'Press' }).click()
  await expect(which).toHaveValue('Press')
  const tags = async () => (await (await page.request.get(`/api/newsletters/${id}/tags`)).json()).tags.length
  expect(await tags()).toBe(1)
  await dialog.getByRole('button', { name: t('subscribers.bulk.act.tag'), exact: true }).click()
  const done = page.getByRole('status').filter({ hasText: /Press/ })
  await expect(done).toContainText(t('subscribers.bulk.done.tag', { tag: 'Press', changed: '3', total: '3' }))
  await expect(page.getByRole('main')).toBeFocused()

  await page.locator('tbody [data-opens]').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: t('subscribers.detail.open') }).click()
  const timeline = page.getByRole('region', { name: t('subscribers.detail.timeline') })
  await expect(timeline).toContainText(t('subscribers.detail.given', { tags: 'Press' }))
  await page.getByLabel(t('subscribers.detail.writeNote')).fill('Lends a boat.')
  await page.getByRole('button', { name: t('subscribers.detail.keepNote') }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Lends a boat.' })).toBeVisible()

  await page.goto('/subscribers')
  await page.getByRole('button', { name: t('subscribers.bulk.undo'), exact: true }).click()
  await expect(page.getByText(t('subscribers.bulk.undone', { restored: '3', changed: '3' }))).toBeVisible()
  await page.goto('/subscribers?search=many')
  await page.locator('tbody [data-opens]').first().focus()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: `${t('subscribers.bulk.act.tag')}…` }).click()
  await which.fill('Quay')
  // What was undone went with the page.
  await expect(page.getByText(t('subscribers.bulk.undone', { restored: '3', changed: '3' }))).toHaveCount(0)
  await page.getByRole('option', { name: isNew }).click()
  await dialog.getByRole('button', { name: t('subscribers.bulk.act.tag'), exact: true }).click()
  await expect(page.getByText(t('subscribers.bulk.doneOne.tag', { tag: 'Quay' }))).toBeVisible()
  expect(await tags()).toBe(2)

  await page.goto('/subscribers?search=many')
  await page.locator('tbody [data-opens]').first().click()
  await expect(page.getByRole('dialog').getByText('Press', { exact: true })).toHaveCount(0)
})

test('on a phone each line of what can be done with those who are selected begins at one place', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  for (const email of [uniqueAddress('phone'), uniqueAddress('phone')])
    await page.request.post(`/api/newsletters/${id}/subscribers`, {
      data: { email },
      headers: { origin: baseURL ?? '' },
    })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/subscribers')
  await page.locator('tbody').getByRole('checkbox').first().check()
  const bar = page.getByRole('region', { name: t('subscribers.bulk.selected', { count: 1, n: '1' }) })
  await expect(bar.getByRole('button', { name: t('subscribers.bulk.unselect') })).toBeVisible()
  expect(new Set(await bar.evaluate(beginsOfLines))).toHaveProperty('size', 1)
})

/** Where each line begins for the eye, in whole pixels: the edge of a button that has one, else its words. */
const beginsOfLines = (bar: Element): number[] => {
  const lines = new Map<number, number>()
  for (const one of bar.querySelectorAll('b, button')) {
    const words = document.createRange()
    words.selectNodeContents(one)
    const seen = one.matches('[data-variant="subtle"]') ? words : one
    const { top } = one.getBoundingClientRect()
    const left = Math.round(seen.getBoundingClientRect().left)
    const line = [...lines.keys()].find((other) => Math.abs(other - top) < 14) ?? top
    lines.set(line, Math.min(left, lines.get(line) ?? left))
  }
  return [...lines.values()]
}
