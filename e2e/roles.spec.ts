import type { Browser, Page } from '@playwright/test'
import { type Language, locales } from '../server/languages.ts'
import type { Role } from '../server/permissions.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'

interface Joining {
  browser: Browser
  owner: Page
  newsletterId: string
  baseURL: string | undefined
  language: Language
}

/** The page of somebody else who is a member with this role. */
async function memberPage(role: Role, { browser, owner, newsletterId, baseURL, language }: Joining): Promise<Page> {
  const headers = { origin: baseURL ?? '' }
  const person = newOwner()
  const invitation = await owner.request.post(`/api/newsletters/${newsletterId}/invitations`, {
    data: { email: person.email, role },
    headers,
  })
  const { link } = await invitation.json()
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: locales[language] })
  await context.request.post('/api/auth/sign-up/email', { data: person, headers })
  const token = new URL(link).pathname.split('/').at(-1)
  const joined = await context.request.post(`/api/invitations/${token}/accept`, { data: {}, headers })
  expect(joined.ok(), await joined.text()).toBe(true)
  return context.newPage()
}

test('an editor is offered nothing of what is an owner’s, and reads whose it is', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  const { id: newsletterId } = await createNewsletter(page, baseURL, language)
  const editor = await memberPage('editor', { browser, owner: page, newsletterId, baseURL, language })
  const refused: string[] = []
  editor.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  for (const path of ['/settings/relays', '/settings/members', '/charge/stripe', '/charge/plans']) {
    await editor.goto(path)
    await expect(editor.getByText(t('newsletters.ownersOnly'))).toBeVisible()
  }
  await editor.goto('/settings/general')
  await expect(editor.getByText(t('newsletters.ownersOnlyFields'))).toBeVisible()
  await editor.goto('/settings/relays')
  await expect(editor.getByText(t('relays.ui.none'))).toBeVisible()
  await expect(editor.getByText(t('relays.ui.noneText'))).toHaveCount(0)

  await editor.goto('/settings/audit')
  await expect(editor.getByText(t('audit.ownersOnly'))).toBeVisible()
  await expect(editor.getByText(t('audit.download'))).toHaveCount(0)
  await expect(editor.getByLabel(t('audit.kind'))).toHaveCount(0)
  expect(refused).toEqual([])
  await editor.context().close()
})

test('who only reads opens no empty menu, and a draft says that it is read here', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  const { id: newsletterId } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const api = `/api/newsletters/${newsletterId}/publications`
  const made = await page.request.post(api, { data: { title: 'A draft', content }, headers })
  const { id } = (await made.json()) as { id: string }
  const analyst = await memberPage('analyst', { browser, owner: page, newsletterId, baseURL, language })
  await analyst.goto('/publish')
  await expect(analyst.getByRole('link', { name: 'A draft' })).toBeVisible()
  await expect(analyst.getByRole('button', { name: t('publish.menu.more', { title: 'A draft' }) })).toHaveCount(0)

  await analyst.goto('/advertise/placements')
  await expect(analyst.getByText(t('newsletters.writersOnly'))).toBeVisible()

  const filter = { on: 'language', op: 'is', value: 'fr' }
  const segment = await page.request.post(`/api/newsletters/${newsletterId}/segments`, {
    data: { name: 'Readers', filter },
    headers,
  })
  expect(segment.ok(), await segment.text()).toBe(true)
  await analyst.goto(`/subscribers/segments/${(await segment.json()).id}`)
  await expect(analyst.getByText(t('newsletters.writersOnly'))).toBeVisible()
  await expect(analyst.getByLabel(t('segments.name'), { exact: true })).toBeDisabled()
  await expect(analyst.getByRole('combobox', { name: t('segments.way') })).toBeDisabled()

  await analyst.goto('/settings/branding')
  const choose = analyst.getByRole('button', { name: t('newsletters.branding.logoChoose') })
  await expect(choose).toBeDisabled()
  await expect(choose).toHaveCSS('border-color', 'rgba(0, 0, 0, 0)')

  await analyst.goto(`/publish/create/${id}`)
  await expect(analyst.getByText(t('publish.editor.readOnly'))).toBeVisible()
  await expect(analyst.locator('main img')).toBeVisible()
  await expect(analyst.getByText(t('editor.save.saved'), { exact: true })).toHaveCount(0)
  await expect(analyst.getByLabel(t('publish.editor.subtitle'), { exact: true })).toHaveCount(0)
  await analyst.context().close()
})
