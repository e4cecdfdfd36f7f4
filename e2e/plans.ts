import { expect, type Page } from '@playwright/test'

/** Makes a plan with a yearly price by the API, for tests that begin later. */
export async function sellPlan(page: Page, baseURL: string | undefined, newsletterId: string): Promise<void> {
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletterId}/charge/plans`
  const words = { en: { name: 'Supporter', promise: 'Every letter.' }, fr: { name: 'Supporter', promise: 'Tout.' } }
  const made = await page.request.post(path, { data: { words }, headers })
  expect(made.ok(), await made.text()).toBe(true)
  const { id } = (await made.json()) as { id: number }
  const data = { prices: [{ currency: 'eur', period: 'year', amount: 5400 }] }
  expect((await page.request.put(`${path}/${id}/prices`, { data, headers })).ok()).toBe(true)
}
