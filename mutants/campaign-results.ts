import type { Mutant } from './mutant.ts'

const campaigns = 'docs/campaigns.md'
const recommended = 'docs/recommendations.md'
const optIn = 'server/campaigns/opt-in/opt-in.test.ts'
const stayed = 'server/campaigns/opt-in/stayed.test.ts'
const unchanged = 'server/campaigns/opt-in/unchanged.test.ts'
const afterOptIn = 'server/campaigns/recommendations/after-opt-in.test.ts'
const recommendations = 'server/campaigns/recommendations/recommendations.test.ts'
const remote = 'server/campaigns/recommendations/remote/remote.test.ts'
const clocks = 'server/campaigns/recommendations/remote/clocks.test.ts'

/** What campaigns count and show, and what recommendations believe. */
export const campaignResultMutants: Mutant[] = [
  {
    name: 'campaign: opening the page by a link of a mail says yes',
    promise: { in: campaigns, says: 'Opening a page never changes anything' },
    file: 'server/campaigns/opt-in/public-routes.ts',
    find: 'const shown = wordsIn(campaign, visit.language, visit.newsletter.language)',
    replace:
      'const shown = wordsIn(campaign, visit.language, visit.newsletter.language)\n    if (subscriber) await sayYes(context, { ...visit, campaignId: campaign.id, who: { subscriber }, version: campaign.version, proof: String(), network: null })',
    tests: [unchanged],
  },
  {
    name: 'campaign: opening the page by a link that was mailed to a typed address says yes',
    promise: { in: campaigns, says: 'Opening a page never changes anything' },
    file: 'server/campaigns/opt-in/confirm-routes.ts',
    find: 'const shown = wordsIn(typed.campaign, typed.language, typed.newsletter.language)',
    replace:
      'const shown = wordsIn(typed.campaign, typed.language, typed.newsletter.language)\n    await sayYes(context, { ...typed, campaignId: typed.campaign.id, who: { address: typed.address, language: typed.language }, version: typed.campaign.version, proof: String(), network: null })',
    tests: [unchanged],
  },
  {
    name: 'campaign: the page is indexed',
    promise: { in: campaigns, says: 'are not indexed' },
    file: 'server/campaigns/opt-in/opt-in.page.tsx',
    find: 'noIndex: true,',
    replace: 'noIndex: false,',
    tests: [optIn],
  },
  {
    name: 'campaign: whoever left this newsletter early was still there',
    promise: { in: campaigns, says: 'nor left what they had joined' },
    file: 'server/campaigns/opt-in/results.ts',
    find: "when 'newsletter' then status = 'active' or left_at > due",
    replace: "when 'newsletter' then true",
    tests: [stayed],
  },
  {
    name: 'campaign: whoever left the other newsletter early was still there',
    promise: { in: campaigns, says: 'nor left what they had joined' },
    file: 'server/campaigns/opt-in/results.ts',
    find: "when 'other_newsletter' then other_status = 'active' or other_left_at > due",
    replace: "when 'other_newsletter' then true",
    tests: [stayed],
  },
  {
    name: 'campaign: whoever took a yes back early was still there',
    promise: { in: campaigns, says: 'who neither took it back' },
    file: 'server/campaigns/opt-in/results.ts',
    find: 'and (undone_at is null or undone_at > due)',
    replace: '',
    tests: [optIn],
  },
  {
    name: 'campaign: yeses of every place count with the page',
    promise: { in: campaigns, says: 'For each place, which is any short link that leads to the page' },
    file: 'server/campaigns/opt-in/results.ts',
    find: 'shortLinkId === place.id || (isPage && !known.has(shortLinkId))',
    replace: 'isPage && shortLinkId !== undefined',
    tests: [optIn],
  },
  {
    name: 'campaign: an address that is over still has the list',
    promise: { in: campaigns, says: 'works for 30 days' },
    file: 'server/campaigns/opt-in/list-links.ts',
    find: 'link.revoked_at === null && link.expires_at > now',
    replace: 'link.revoked_at === null',
    tests: [optIn],
  },
  {
    name: 'recommendation: more than five are shown',
    promise: { in: recommended, says: 'up to five newsletters' },
    file: 'server/campaigns/recommendations/recommended.ts',
    find: 'if (first.length === recommendationLimits.shown) break',
    replace: '',
    tests: [recommendations],
  },
  {
    name: 'recommendation: the boxes are ticked',
    promise: { in: recommended, says: 'No box is ticked' },
    file: 'server/campaigns/recommendations/recommended.page.tsx',
    find: 'name={boxOf(offer)} value="yes" />',
    replace: 'name={boxOf(offer)} value="yes" defaultChecked />',
    tests: [afterOptIn],
  },
  {
    name: 'recommendation: the recommended side reads its own figures as received',
    promise: { in: recommended, says: 'are the same on both sides' },
    file: 'server/campaigns/recommendations/counts.ts',
    find: `where r.to_newsletter_id = \${newsletterId}`,
    replace: `where r.newsletter_id = \${newsletterId}`,
    tests: [recommendations],
  },
  {
    name: 'recommendation: whoever left within fourteen days was still there',
    promise: { in: recommended, says: 'of those whose fourteen days are over, who was still there' },
    file: 'server/campaigns/recommendations/count-stayed.job.ts',
    find: "count(*) filter (where s.status = 'active'",
    replace: 'count(*) filter (where s.status is not null',
    tests: [recommendations],
  },
  {
    name: 'recommendation: they are counted before their fourteen days are over',
    promise: { in: recommended, says: 'of those whose fourteen days are over' },
    file: 'server/campaigns/recommendations/count-stayed.job.ts',
    find: `where at <= \${now}::timestamptz - \${recommendationLimits.stayedDays} * interval '24 hours'`,
    replace: `where at <= \${now}::timestamptz`,
    tests: [recommendations],
  },
  {
    name: 'recommendation: a document of another server needs no signature',
    promise: { in: recommended, says: 'made with Ed25519' },
    file: 'server/campaigns/recommendations/remote/document.ts',
    find: "if (!isSigned(signed, flattened.signature, header.jwk.x)) return 'remote_invalid'",
    replace: '',
    tests: [remote],
  },
  {
    name: 'recommendation: a document of another server that is over counts',
    promise: { in: recommended, says: 'until when it counts' },
    file: 'server/campaigns/recommendations/remote/document.ts',
    find: "return exp > seconds ? { ...document, key: header.jwk.x } : 'remote_over'",
    replace: 'return { ...document, key: header.jwk.x }',
    tests: [clocks],
  },
  {
    name: 'recommendation: a document of another server is from the future',
    promise: { in: recommended, says: 'when it was made' },
    file: 'server/campaigns/recommendations/remote/document.ts',
    find: "if (iat > seconds + DOCUMENT_DAYS * DAY_S) return 'remote_ahead'",
    replace: '',
    tests: [clocks],
  },
  {
    name: 'recommendation: a document that is shown again renews',
    promise: { in: recommended, says: 'a document that is shown again later renews nothing' },
    file: 'server/campaigns/recommendations/remote/renew.job.ts',
    find: 'if (signed.getTime() === row.signed_at.getTime()) return kept',
    replace: '',
    tests: [clocks],
  },
  {
    name: 'recommendation: a document that is older than the last one counts',
    promise: { in: recommended, says: 'one that is older than the last does not count' },
    file: 'server/campaigns/recommendations/remote/renew.job.ts',
    find: "if (signed < row.signed_at) return { ...failed, refused: 'remote_older' as const }",
    replace: '',
    tests: [clocks],
  },
  {
    name: 'recommendation: a document speaks for another address',
    promise: { in: recommended, says: 'the address of the document itself' },
    file: 'server/campaigns/recommendations/remote/document.ts',
    find: 'url === documentAddress(own) &&',
    replace: '',
    tests: [remote],
  },
  {
    name: 'recommendation: a document leads to a page elsewhere',
    promise: { in: recommended, says: 'its subscribe page, on the same server' },
    file: 'server/campaigns/recommendations/remote/document.ts',
    find: '&& subscribe === subscribeAddress(own)',
    replace: '',
    tests: [remote],
  },
  {
    name: 'recommendation: another server is asked without TLS',
    promise: { in: recommended, says: 'Only public addresses are asked, by HTTPS' },
    file: 'server/campaigns/recommendations/remote/read.ts',
    find: "if (url.protocol !== 'https:' && !mayBePrivate) throw new AppError('remote_unreachable')",
    replace: '',
    tests: [remote],
  },
  {
    name: 'recommendation: an answer of another server may be huge',
    promise: { in: recommended, says: '16 KB at most' },
    file: 'server/campaigns/recommendations/remote/read.ts',
    find: 'const MAX_BYTES = 16 * 1024',
    replace: 'const MAX_BYTES = 16 * 1024 * 1024',
    tests: [remote],
  },
  {
    name: 'recommendation: another server may take a minute',
    promise: { in: recommended, says: 'for five seconds' },
    file: 'server/campaigns/recommendations/remote/read.ts',
    find: 'const TIMEOUT_MS = 5_000',
    replace: 'const TIMEOUT_MS = 60_000',
    tests: [remote],
  },
]
