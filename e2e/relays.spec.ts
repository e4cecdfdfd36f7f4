import type { Page } from '@playwright/test'
import { startRecordingRelay } from '../server/testing/recording-relay.ts'
import type { Translate } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'

test('an owner adds a relay, tests it, reads its answers, switches it off and removes it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const relay = await startRecordingRelay((_, attempt) =>
    attempt === 2 ? { code: 550, text: '5.7.1 not from you today' } : null,
  )
  try {
    const newsletter = await createNewsletter(page, baseURL, language)
    await confirmAddress(page, t, newsletter)
    await page.goto('/settings/relays')
    await expect(page.getByText(t('relays.ui.route.caughtTitle'))).toBeVisible()
    await page.getByRole('button', { name: t('relays.ui.add') }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(t('relays.ui.name'), { exact: true }).fill('Harbour')
    await form.getByLabel(t('relays.ui.host')).fill('127.0.0.1')
    await form.getByText(t('relays.ui.securities.none'), { exact: true }).click()
    await form.getByLabel(t('relays.ui.port'), { exact: true }).fill(new URL(relay.url).port)
    await form.getByRole('button', { name: t('relays.ui.add') }).click()
    await expect(form).toBeHidden()
    const row = page.getByRole('listitem').filter({ hasText: 'Harbour' })
    await expect(row).toContainText(t('relays.ui.state.untried'))

    await row.getByRole('button', { name: t('relays.ui.test') }).click()
    await expect(row).toContainText('250 2.0.0 ok')
    await expect(row).toContainText(t('relays.ui.state.working'))
    expect(relay.received).toHaveLength(1)

    await row.getByRole('button', { name: t('relays.ui.test') }).click()
    await expect(row).toContainText('5.7.1 not from you today')

    await row.getByRole('switch').click({ force: true })
    await expect(row).toContainText(t('relays.ui.state.off'))
    await row.getByRole('button', { name: t('relays.ui.more', { name: 'Harbour' }) }).click()
    await page.getByRole('menuitem', { name: t('relays.ui.remove') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('relays.ui.remove') })
      .click()
    await expect(page.getByText(t('relays.ui.none'))).toBeVisible()
  } finally {
    await relay.stop()
  }
})

test('TLS where the port speaks plain, and STARTTLS where there is none, say what to choose in the language of the owner', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const relay = await startRecordingRelay()
  try {
    const newsletter = await createNewsletter(page, baseURL, language)
    await confirmAddress(page, t, newsletter)
    for (const security of ['tls', 'starttls'] as const) {
      const config = {
        kind: 'smtp',
        host: '127.0.0.1',
        port: Number(new URL(relay.url).port),
        security,
        username: security === 'tls' ? null : 'ines',
      }
      const made = await page.request.post(`/api/newsletters/${newsletter.id}/relays`, {
        data: { name: security, way: config, secret: security === 'tls' ? null : 'x' },
        headers: { origin: new URL(page.url()).origin },
      })
      expect(made.status(), await made.text()).toBe(200)
    }
    await page.goto('/settings/relays')
    for (const [security, meaning] of [
      ['tls', 'plainPort'],
      ['starttls', 'noEncryption'],
    ] as const) {
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: security, exact: true }) })
      await row.getByRole('button', { name: t('relays.ui.test') }).click()
      await expect(row).toContainText(t(`publish.meaning.${meaning}`))
      await expect(row).toContainText(t('relays.ui.outcome.notHanded'))
      await expect(row.locator('q')).toHaveCount(0)
    }
    expect(relay.received).toHaveLength(0)
  } finally {
    await relay.stop()
  }
})

/** Only an owner who confirmed their address may send through a real relay. */
async function confirmAddress(page: Page, t: Translate, newsletter: Newsletter): Promise<void> {
  const { user } = (await (await page.request.get('/api/me')).json()) as { user: { email: string } }
  await page.goto(linkIn(await readMail(page, newsletter.id, { to: user.email }), '/verified'))
  await page.getByRole('button', { name: t('identity.verified.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.verified.title') })).toBeVisible()
}
