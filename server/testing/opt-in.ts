import { OptInCodes } from '../campaigns/opt-in/address.ts'
import type { TestNewsletter } from './newsletter.ts'

export const optInWords = {
  question: 'Shall we introduce you to Kelp & Rye?',
  offer: 'A bakery in Cork that works with seaweed flour.',
  yes: 'Yes, pass on my address',
  afterYes: 'Kelp & Rye will write within a week.',
}

const DAY_MS = 86_400_000

/** An opt-in campaign that asks now, for a sponsor unless `values` says otherwise. @returns its id */
export async function addOptInCampaign(
  server: Pick<TestNewsletter, 'owner' | 'path'>,
  values: Record<string, unknown> = {},
): Promise<string> {
  const campaigns = `${server.path}/opt-in-campaigns`
  const made = await server.owner.call('POST', campaigns, { name: 'Kelp & Rye' })
  if (made.statusCode !== 200) throw new Error(made.body)
  const { id } = made.json()
  const changed = await server.owner.call('PATCH', `${campaigns}/${id}`, {
    words: { en: optInWords },
    beneficiary: { kind: 'sponsor', sponsor: { name: 'Kelp & Rye', address: 'Cork', privacy: '' } },
    startsAt: new Date(Date.now() - DAY_MS).toISOString(),
    ...values,
  })
  if (changed.statusCode !== 200) throw new Error(changed.body)
  return id
}

/** Presses a button on the page of a campaign, by the signed link of a subscriber's mail. */
export const pressOnOptIn = (
  server: TestNewsletter,
  { campaignId, subscriberId, act }: { campaignId: string; subscriberId: string; act: 'yes' | 'undo' },
) =>
  server.app.inject({
    method: 'POST',
    url: `/optin/${campaignId}?k=${new OptInCodes(server.context).code(subscriberId)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ act, version: '1', words: 'en' }).toString(),
  })
