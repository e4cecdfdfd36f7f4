import type { z } from 'zod'
import type {
  listComparisons,
  listEvents,
  listFailures,
  stripeTasks,
} from '../server/charge/payment-events/contract.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

const at = '2026-11-20T03:00:00.000Z'
const comparisonId = '01890000-0000-7000-8000-000000000001'

const tasks: z.infer<typeof stripeTasks.reply> = { events: 1, nameless: 0, stopped: 24, failures: 1, testFailures: 0 }
const events: z.infer<typeof listEvents.reply> = {
  waiting: 0,
  problems: [
    {
      ...{ id: 'evt_1', type: 'customer.subscription.created', objectId: 'sub_1', statedAt: at, receivedAt: at },
      ...{ problem: 'plan_unknown', attempts: 8, applied: false, dueAt: null, mayRetry: true },
    },
  ],
}
const comparisons: z.infer<typeof listComparisons.reply> = {
  comparisons: [
    {
      ...{ id: comparisonId, state: 'stopped', begunAt: at, endedAt: at, compared: 80, problem: null },
      ...{ differences: 24, repaired: 0 },
      shown: [
        { objectId: 'sub_2', changes: { status: ['active', 'ended'] }, repairedAt: null, problem: null },
        { objectId: 'sub_3', changes: { paid_until: [null, at] }, repairedAt: null, problem: null },
      ],
    },
  ],
}
const failures: z.infer<typeof listFailures.reply> = {
  rows: [
    {
      ...{ subscriptionId: comparisonId, subscriberId: 'someone', email: 'karin@example.org', name: 'Karin Lindqvist' },
      ...{ planId: 1, test: true, amount: 600, currency: 'eur', failedAt: at, attempts: 2, nextAttemptAt: null },
      ...{ toldAttempt: 2, mayBeTold: true, readsUntil: '2026-12-04T03:00:00.000Z' },
    },
  ],
}

test('an owner sees what Stripe said, has it tried again, and decides about a comparison that stopped', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await page.goto('/charge/stripe/said')
  await expect(page.getByText(t('said.notConnected.title'))).toBeVisible()

  const words = { en: { name: 'Membership', promise: '' } }
  const headers = { origin: baseURL ?? '' }
  await page.request.post(`/api/newsletters/${id}/charge/plans`, { data: { words }, headers })
  const answers = { tasks, events, comparisons }
  for (const [path, json] of Object.entries(answers))
    await page.route(`**/charge/stripe/${path}`, (route) => route.fulfill({ json }))
  await page.route('**/charge/payment-failures', (route) => route.fulfill({ json: failures }))
  const acts: string[] = []
  await page.route(/(retry|repair)$/, (route) => {
    acts.push(new URL(route.request().url()).pathname.split('/charge/stripe/')[1] ?? '')
    return route.fulfill({ json: { done: true } })
  })

  // A number on the first page of Charge leads there.
  await page.goto('/charge')
  await expect(page.getByText(t('said.task.stopped', { count: 24, n: '24' }))).toBeVisible()
  await page.getByRole('link', { name: t('said.task.look') }).click()
  const failed = page.getByRole('region', { name: t('said.failures.title') })
  await expect(failed.getByRole('link', { name: 'Karin Lindqvist' })).toBeVisible()
  await expect(failed.getByText(t('said.failures.toldOf', { n: 2 }))).toBeVisible()

  await expect(page.getByText(t('said.events.problem.plan_unknown'))).toBeVisible()
  await page.getByRole('button', { name: t('said.events.retryOf', { id: 'sub_1' }) }).click()
  await expect(page.getByText(t('said.events.retried'))).toBeVisible()

  await page.getByText(t('said.comparisons.show')).click()
  await expect(page.getByText('sub_2')).toBeVisible()
  await page.getByRole('button', { name: t('said.comparisons.decide.repair') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('said.comparisons.decide.leave') })
    .click()
  await page.getByRole('button', { name: t('said.comparisons.decide.repair') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('said.comparisons.decide.confirm') })
    .click()
  await expect(page.getByText(t('said.comparisons.decide.begun'))).toBeVisible()
  expect(acts).toEqual(['events/evt_1/retry', `comparisons/${comparisonId}/repair`])

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
