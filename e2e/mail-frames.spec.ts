import type { Page } from '@playwright/test'
import { readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('the check before sending and the outbox show a mail down to the lines of the postal address, and lead to its notes', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const settings = `/api/newsletters/${newsletter.id}`
  const postalAddress = 'Nora Bell\n4 Quay Street\nWhitby'
  const changed = await page.request.patch(settings, { data: { postalAddress }, headers })
  expect(changed.ok(), await changed.text()).toBe(true)
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'The sea came back. '.repeat(60) }] }
  const note = { type: 'footnote', attrs: { note: [{ type: 'text', text: 'Twice a day.' }] } }
  const noted = { type: 'paragraph', content: [{ type: 'text', text: 'The tide turns' }, note] }
  const content = { type: 'doc', content: [noted, ...Array.from({ length: 8 }, () => paragraph)] }
  const made = await page.request.post(`${settings}/publications`, { data: { title: 'Low tide', content }, headers })
  const { id } = (await made.json()) as { id: string }

  await page.goto(`/publish/create/${id}/send`)
  await expectWhole(page, t('publish.send.proof'))
  await expectNote(page, t('publish.send.proof'))

  const sent = await page.request.post(`${settings}/publications/${id}/test`, { data: {}, headers })
  const { to } = (await sent.json()) as { to: string[] }
  const mail = await readMail(page, newsletter.id, { to: to[0] ?? '', subject: /Low tide/ })
  expect(mail.text).toContain('\nNora Bell\n4 Quay Street\nWhitby')
  await page.goto(`/outbox?mail=${mail.id}`)
  await expectWhole(page, mail.parsed.subject ?? '')
  await expectNote(page, mail.parsed.subject ?? '')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectWhole(page, mail.parsed.subject ?? '')
})

/** The number of a note leads to it within the frame, and opens no other page. */
async function expectNote(page: Page, title: string): Promise<void> {
  const frame = page.locator(`iframe[title="${title}"]`)
  const inside = frame.contentFrame()
  await inside.locator('[role="doc-noteref"]').click()
  await expect(inside.locator(':target')).toHaveCount(1)
  await expect(inside.getByText('Twice a day.')).toBeInViewport()
  await inside.locator('[role="doc-backlink"]').click()
  await expect(inside.locator('[role="doc-noteref"]')).toBeInViewport()
  expect(page.context().pages()).toHaveLength(1)
}

/** The frame is as high as what is in it, the address included. It has no scroll bar, which this browser hides and others show. */
async function expectWhole(page: Page, title: string): Promise<void> {
  const frame = page.locator(`iframe[title="${title}"]`)
  await expect(frame.contentFrame().getByText('Whitby')).toBeVisible()
  await expect
    .poll(() =>
      frame.evaluate((one: HTMLIFrameElement) => {
        const body = one.contentDocument?.body
        return body ? Math.abs(one.clientHeight - body.getBoundingClientRect().height) : -1
      }),
    )
    .toBeLessThanOrEqual(1)
  await expect(frame.contentFrame().locator('html')).toHaveCSS('overflow-y', 'hidden')
}
