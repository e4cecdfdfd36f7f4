import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { openDraft, publish } from './publications.ts'

test('a writer puts a paywall and a block for some readers, and sees what each of them reads', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const api = `/api/newsletters/${id}/publications`
  const made = await page.request.post(api, { data: { title: 'The tide' }, headers: { origin: baseURL ?? '' } })
  const draft = (await made.json()) as { id: string }
  await page.goto(`/publish/create/${draft.id}`)
  const editor = new EditorScreen(page, t)
  const insert = async (name: string) => {
    await page.getByRole('button', { name: t('editor.tool.more') }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await editor.text.click()
  await editor.type('For everybody.')
  await editor.press('Enter')
  await insert(t('editor.tool.paywall'))
  await expect(editor.text).toContainText(t('editor.node.paywallLine'))
  // The cursor is below the paywall: typing on does not write over it.
  await editor.type('For who pays.')
  await editor.press('Enter')
  await editor.type('And for who does not.')
  await insert(t('editor.tool.onlyFor.free'))
  await expect(editor.text.locator('section')).toHaveAttribute('data-label', t('editor.tool.onlyFor.free'))
  const second = page.getByRole('button', { name: t('editor.tool.more') })
  await second.click()
  await page.getByRole('menuitem', { name: t('editor.tool.paywall') }).click()
  await expect(editor.text.locator('[data-paywall-line]')).toHaveCount(1)
  await expect
    .poll(async () => {
      const { content } = await (await page.request.get(`${api}/${draft.id}`)).json()
      return content.content.map(({ type }: { type: string }) => type)
    })
    .toEqual(expect.arrayContaining(['paywall', 'onlyFor']))

  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const mail = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
  await expect(mail.getByText('For who pays.', { exact: true })).toBeVisible()
  await page.getByLabel(t('publish.preview.reader'), { exact: true }).selectOption('free')
  await expect(mail.getByText(t('paywall.title'))).toBeVisible()
  await expect(mail.getByText('For who pays.')).toHaveCount(0)
})

test('a writer shows one block only on the web and another only in the email, and the preview has each where it will be', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const { path, content } = await openDraft(page, {
    baseURL,
    language,
    content: { type: 'doc', content: [paragraph('Watch it here.'), paragraph('Answer me.'), { type: 'paywall' }] },
  })
  await page.goto(path)
  const editor = new EditorScreen(page, t)
  const wrap = async (words: string, name: string) => {
    await editor.text.getByText(words).click()
    await page.getByRole('button', { name: t('editor.tool.more') }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const labels = () => editor.text.locator('section').evaluateAll((all) => all.map((one) => one.dataset.label))
  await wrap('Watch it here.', t('editor.tool.onlyFor.web'))
  await wrap('Answer me.', t('editor.tool.onlyFor.web'))
  // For whom else or where else it is shown is chosen in the bar. What the menu inserts is another block.
  const bar = page.getByRole('region', { name: t('editor.node.onlyFor') })
  const choose = async (name: string) => {
    await bar.getByRole('combobox', { name: t('editor.node.onlyFor') }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await choose(t('editor.node.onlyForWhom.paid'))
  await expect.poll(labels).toEqual([t('editor.tool.onlyFor.web'), t('editor.tool.onlyFor.paid')])
  for (const other of ['free', 'email', 'paid'] as const) {
    await wrap('Answer me.', t(`editor.tool.onlyFor.${other}`))
    await editor.type('Only here.')
    await expect
      .poll(labels)
      .toEqual([t('editor.tool.onlyFor.web'), t('editor.tool.onlyFor.paid'), t(`editor.tool.onlyFor.${other}`)])
    await expect(editor.text.locator('section').nth(1)).toHaveText('Answer me.')
    await expect(editor.text.locator('section').last()).toHaveText('Only here.')
    await bar.getByRole('button', { name: t('editor.node.onlyForLift') }).click()
    await expect(editor.text.locator('section + p')).toHaveText('Only here.')
    await editor.text.getByText('Only here.').click({ clickCount: 3 })
    await editor.press('Backspace')
  }
  await editor.text.getByText('Answer me.').click()
  await choose(t('editor.node.onlyForWhom.email'))
  await expect.poll(labels).toEqual([t('editor.tool.onlyFor.web'), t('editor.tool.onlyFor.email')])
  await expect.poll(content).toContain('"for":"email"')

  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const mail = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
  await expect(mail.getByText('Answer me.', { exact: true })).toBeVisible()
  await expect(mail.getByText('Watch it here.')).toHaveCount(0)

  const refused = page.getByRole('alert').filter({ hasText: t('editor.tool.onlyFor.notAround') })
  // What cannot stand in such a block is said in words, and nothing changes.
  await editor.text.getByText('Answer me.').click()
  await editor.press('Control+a')
  await page.getByRole('button', { name: t('editor.tool.more') }).click()
  await page.getByRole('menuitem', { name: t('editor.tool.onlyFor.web') }).click()
  await expect(refused).toBeVisible()
  expect(await labels()).toHaveLength(2)
})

test('the page of a publication ends at its paywall', async ({ page, subscriber, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const long = 'Twice a day the harbour runs out of sea, and nobody minds. '.repeat(40)
  const content = {
    type: 'doc',
    content: [
      paragraph(long),
      paragraph('Open to all.'),
      { type: 'paywall' },
      ...Array(5).fill(paragraph(`Hidden. ${long}`)),
    ],
  }
  const { url } = await publish(page, { baseURL, newsletter, content })
  await subscriber.goto(url)
  await expect(subscriber.getByRole('heading', { name: 'The harbour that waits' })).toBeVisible()
  await expect(subscriber.getByText('Open to all.')).toBeVisible()
  await expect(subscriber.getByText('Hidden.')).toHaveCount(0)
  await expect(subscriber.getByRole('heading', { name: t('paywall.title') })).toBeVisible()
  // Nothing can be bought yet: no button leads nowhere. Once something can, the page is another.
  const paywall = subscriber.locator('.paywall')
  await expect(paywall).toContainText(t('paywall.notForSale'))
  await expect(paywall.getByRole('link', { name: t('paywall.subscribe') })).toHaveCount(0)
  const call = (method: string, path: string, data: object) =>
    page.request.fetch(`/api/newsletters/${newsletter.id}/charge/plans${path}`, {
      method,
      data,
      headers: { origin: baseURL ?? '' },
    })
  const plan = await (await call('POST', '', { words: { [language]: { name: 'Membership', promise: '' } } })).json()
  const prices = [{ currency: 'eur', period: 'month', amount: 500, suggested: null, months: null }]
  expect((await call('PUT', `/${plan.id}/prices`, { prices, moveOutside: false })).status()).toBe(200)
  await subscriber.reload()
  await expect(paywall.getByRole('link', { name: t('paywall.subscribe') })).toHaveAttribute('href', /^\/plans\//)
  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await subscriber.setViewportSize({ width, height: 1000 })
    await subscriber.emulateMedia({ colorScheme: scheme })
    const wide = await subscriber
      .locator('.paywall')
      .evaluate((element) => element.ownerDocument.documentElement.scrollWidth)
    expect(wide).toBe(width)
  }
})
