import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { openDraft } from './publications.ts'

test('a draft that was deleted is undone, restored where it is still written in, and removed for good', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const draft = await openDraft(page, { baseURL, language })
  const editor = new EditorScreen(page, t)
  await page.goto(draft.path)
  await expect(editor.text).toBeVisible()

  const list = await context.newPage()
  const named = { title: 'A draft' }
  const inDrafts = list
    .getByRole('region', { name: t('publish.list.groups.drafts') })
    .getByRole('link', { name: 'A draft' })
  const remove = async () => {
    await list.getByRole('button', { name: t('publish.menu.more', named) }).click()
    await list.getByRole('menuitem', { name: t('publish.menu.remove') }).click()
    await list.getByRole('button', { name: t('publish.remove.confirm') }).click()
    await expect(inDrafts).toBeHidden()
  }
  await list.goto('/publish')
  await remove()
  await list.getByRole('button', { name: t('publish.undo'), exact: true }).click()
  await expect(inDrafts).toBeVisible()

  await remove()
  await editor.text.click()
  await page.keyboard.type('Typed in another tab.')
  const notice = page.getByRole('alert').filter({ hasText: t('editor.save.deleted') })
  await notice.getByRole('button', { name: t('publish.deleted.restore') }).click()
  await expect(notice).toBeHidden()
  await expect(editor.text).toContainText('Typed in another tab.')
  await expect.poll(draft.content).toContain('Typed in another tab.')

  await expect(inDrafts).toBeVisible()
  await remove()
  await page.reload()
  await expect(page.getByText(t('publish.deleted.open'))).toBeVisible()
  await page.getByRole('button', { name: t('publish.deleted.restore') }).click()
  await expect(editor.text).toContainText('Typed in another tab.')

  await expect(inDrafts).toBeVisible()
  await remove()
  await list.getByRole('tab', { name: t('publish.list.tabs.deleted') }).click()
  const gone = list.getByText(t('publish.removed'), { exact: true })
  await expect(gone).toBeVisible()
  await list.getByRole('button', { name: t('publish.deleted.restoreNamed', named) }).click()
  await expect(list.getByText(t('publish.deleted.none'))).toBeVisible()
  await expect(gone).toBeHidden()

  await list.getByRole('tab', { name: t('publish.list.tabs.draft') }).click()
  await remove()
  await list.getByRole('tab', { name: t('publish.list.tabs.deleted') }).click()
  await list.getByRole('button', { name: t('publish.deleted.removeNamed', named) }).click()
  await list.getByRole('button', { name: t('publish.deleted.ask.confirm') }).click()
  await expect(list.getByText(t('publish.deleted.none'))).toBeVisible()
  await expect(gone).toBeHidden()
})
