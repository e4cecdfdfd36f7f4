import { expect, test } from 'vitest'
import { changeOf, draftOf } from './campaign-draft.ts'
import type { Campaign } from './queries.ts'

const campaign = {
  ...{ name: 'Walks', words: {}, cap: null, accent: null },
  beneficiary: { kind: 'newsletter', tagId: null, newsletter: null, sponsor: null },
  startsAt: '2026-11-05T09:12:37.123Z',
  endsAt: null,
} as unknown as Campaign
const zone = 'Europe/Paris'

test('a time that nobody typed keeps its seconds, and one that was typed has minutes', () => {
  const draft = draftOf(campaign, zone)
  expect(changeOf(draft, campaign, zone)).toMatchObject({ startsAt: campaign.startsAt, endsAt: null })
  const moved = { ...draft, startsAt: '2026-11-06T10:00', endsAt: '2026-12-01T08:00' }
  expect(changeOf(moved, campaign, zone)).toMatchObject({
    startsAt: '2026-11-06T09:00:00.000Z',
    endsAt: '2026-12-01T07:00:00.000Z',
  })
  expect(changeOf({ ...draft, startsAt: '' }, campaign, zone).startsAt).toBeNull()
})
