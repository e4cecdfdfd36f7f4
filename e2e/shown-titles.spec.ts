import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'

test('no line of a French title begins with its mark, in lists, at the head of pages and in the palette; where it is written it stays as typed', async ({
  page,
  t,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, 'fr')
  const typed = 'Le port : « qui attend » ?'
  const shown = 'Le port\u00a0: «\u00a0qui attend\u00a0»\u202f?'
  const out = await publish(page, { baseURL, newsletter, title: typed })
  const draft = await page.request.post(`/api/newsletters/${newsletter.id}/publications`, {
    data: { title: `${typed} 2` },
    headers: { origin: baseURL ?? '' },
  })
  const { id } = (await draft.json()) as { id: string }

  await page.goto('/publish')
  // Only the words themselves: to find by text makes all kinds of spaces alike.
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect.poll(async () => (await links.allTextContents()).toSorted()).toEqual([shown, `${shown} 2`])
  await page.goto(`/publish/${out.id}`)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain(shown)
  await page.goto(`/publish/create/${id}`)
  await expect(page.getByRole('textbox', { name: t('publish.editor.title'), exact: true })).toHaveValue(`${typed} 2`)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain(`${shown} 2`)

  await page.goto('/publish')
  await expect(links.first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: t('shell.goTo') }).fill('port : «')
  const found = page.getByRole('option').filter({ hasText: 'qui attend' })
  await expect(found).toHaveCount(2)
  await expect.poll(() => found.first().textContent()).toContain(shown)
})
