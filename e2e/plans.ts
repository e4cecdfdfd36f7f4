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

/** Lets the pages of Charge believe that cards are taken, for tests of what is only there then. No test connects the real Stripe. */
export async function takeCards(page: Page): Promise<void> {
  await page.route('**/charge/overview', async (route) => {
    const response = await route.fetch()
    const overview = await response.json()
    await route.fulfill({ response, json: { ...overview, begun: { ...overview.begun, card: true } } })
  })
}
