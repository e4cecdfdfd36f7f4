import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** A dialog or a menu sets its first focus twice, each time by a timer: a key that comes between is undone by the second. */
export async function expectFirstFocus(page: Page, at: Locator): Promise<void> {
  await expect(at).toBeFocused()
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )
}
