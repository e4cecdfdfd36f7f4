import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('the question mark leads to answers, each with a link to the page that does it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: t('shell.titles.help'), exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: t('shell.titles.help') })).toBeVisible()
  const about = page.getByRole('article').filter({ hasText: t('help.relay.question') })
  await about.getByRole('link').press('Enter')
  await expect(page).toHaveURL('/settings/relays')
  await page.goBack()
  await expect(page.getByRole('article').filter({ hasText: t('help.backup.question') })).toContainText('pg_dump')
})
