import type { Locator, Page } from '@playwright/test'
import { studioPaths } from '../server/http/studio-paths.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('with the colours of high contrast one sees the open page, what is on, what is chosen, the focus and how far a strip is', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(studioPaths.signUp)
  await page.getByLabel(t('identity.password'), { exact: true }).fill('sea')
  const strip = page.getByRole('progressbar')
  expect(await drawn(strip, 'backgroundImage', '::before')).toContain(await colour(page, 'CanvasText'))

  await createNewsletter(page, baseURL, language)
  await page.goto(studioPaths.subscribingSettings)
  const open = page.getByRole('navigation', { name: t('shell.main') }).locator('[aria-current="page"]')
  for (const link of await open.all())
    expect(await drawn(link, 'backgroundColor', '::before')).toBe(await colour(page, 'CanvasText'))

  const offer = page.getByRole('switch', { name: t('digests.offer') })
  // The track is drawn beside the switch.
  const track = offer.locator('xpath=following-sibling::*[1]')
  await expect(offer).toBeChecked()
  expect(await ground(track)).toBe(await colour(page, 'Highlight'))
  await offer.focus()
  await page.keyboard.press('Space')
  await expect(offer).not.toBeChecked()
  await expect.poll(() => ground(track)).not.toBe(await colour(page, 'Highlight'))
  expect(await drawn(track, 'outlineStyle')).toBe('solid')

  await page.goto(studioPaths.profile)
  const languages = page.getByRole('radiogroup', { name: t('identity.language') })
  await expect(languages).toBeVisible()
  await expect
    .poll(() =>
      languages
        .locator(':scope > span')
        .first()
        .evaluate((one) => getComputedStyle(one).backgroundColor),
    )
    .toBe(await colour(page, 'Highlight'))
})

const drawn = (locator: Locator, what: 'backgroundColor' | 'backgroundImage' | 'outlineStyle', of?: string) =>
  locator.evaluate((element, [name, pseudo]) => getComputedStyle(element, pseudo)[name], [what, of] as const)

const ground = (locator: Locator) => drawn(locator, 'backgroundColor')

/** A colour of the system as the browser writes it. */
const colour = (page: Page, name: string): Promise<string> =>
  page.evaluate((system) => {
    const probe = document.createElement('i')
    probe.style.color = system
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)
