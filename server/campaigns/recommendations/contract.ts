import { z } from 'zod'
import { Csv, Done, endpoint, line, Newsletter, Sheet } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'

export const recommendationLimits = { kept: 20, shown: 5, reason: 200, stayedDays: 14, remoteDays: 14 } as const

export const recommendedBy = ['everybody', 'accepted', 'nobody'] as const
export type RecommendedBy = (typeof recommendedBy)[number]

const Reasons = z
  .partialRecord(z.enum(languages), line(recommendationLimits.reason))
  .refine((reasons) => Object.keys(reasons).length > 0)

/**
 * `shown`: how often it stood on the page after a confirmation. `chosen`: how often somebody ticked it and said yes. `confirmed`: who became a
 * subscriber by it. `stayed`: of those whose fourteen days are over (`of`), who was still there then.
 */
const Counts = z.object({
  shown: z.int(),
  chosen: z.int(),
  confirmed: z.int(),
  stayed: z.object({ still: z.int(), of: z.int() }),
})
export type RecommendationCounts = z.infer<typeof Counts>

const recommendationStates = ['shown', 'waiting', 'declined', 'gone', 'stale'] as const

const Named = z.object({ id: z.string(), name: z.string(), url: z.string() })

/** The clocks of two servers, at one document. */
export const RemoteClocks = {
  /** When it was signed, by the clock of its server. */
  signedAt: z.iso.datetime(),
  /** When it was read, by the clock of this one. */
  readAt: z.iso.datetime(),
}

const Remote = z.object({
  host: z.string(),
  /** The key that was accepted. */
  key: z.string(),
  /** Since when what it says is known to hold: when it was signed, or when it was read, where its clock is ahead. */
  renewedAt: z.iso.datetime(),
  /** Of the newest document that counted. */
  ...RemoteClocks,
  /** Why what was read last does not count. */
  refused: z.enum(['remote_unreachable', 'remote_invalid', 'remote_ahead', 'remote_over', 'remote_older']).nullable(),
  /** Made up by `tirage seed`: its server does not exist, so it is never renewed and never `stale`. */
  isDemo: z.boolean(),
  /** What it says now, while that is not accepted. */
  changed: z.object({ name: z.string(), key: z.string() }).nullable(),
})

const Recommendation = z.object({
  id: z.string(),
  /** Null once it was deleted. */
  newsletter: Named.nullable(),
  /** Only of a newsletter of another server. */
  remote: Remote.nullable(),
  name: z.string(),
  /**
   * `waiting`: the other newsletter has not accepted it. `declined`: it wants no recommendation, or not this one. `stale`: its server has not
   * renewed what it says for fourteen days.
   */
  state: z.enum(recommendationStates),
  reasons: z.partialRecord(z.enum(languages), z.string()),
  counts: Counts,
})
export type Recommendation = z.infer<typeof Recommendation>

const Period = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() })
const One = Newsletter.extend({ recommendationId: z.string().max(20) })

const Recommendations = z.object({
  /** In the order in which they are shown. Readers see the first five that can be shown. */
  rows: z.array(Recommendation),
  /** Newsletters of this server that could be added: those that the caller may write in, and those that everybody may recommend. */
  candidates: z.array(Named),
})

export const listRecommendations = endpoint('GET /api/newsletters/:newsletterId/recommendations', {
  permission: 'campaigns.read',
  cost: 'search',
  summary: 'The newsletters that this one recommends, in their order, and what came of it',
  params: Newsletter,
  query: Period,
  reply: Recommendations,
})

export const addRecommendation = endpoint('POST /api/newsletters/:newsletterId/recommendations', {
  permission: 'campaigns.write',
  cost: 'write',
  summary: 'Recommend another newsletter of this server to those who have just subscribed',
  params: Newsletter,
  body: z.object({
    /** Its id, its handle, or the address of one of its pages here. */
    newsletter: line(500),
    reasons: Reasons,
  }),
  audit: { act: 'recommendation_added', keeps: ['newsletter'] },
  reply: Recommendation,
  errors: ['recommended_not_found', 'recommends_itself', 'recommended_already', 'too_many_recommendations'],
})

export const changeRecommendation = endpoint('PATCH /api/newsletters/:newsletterId/recommendations/:recommendationId', {
  permission: 'campaigns.write',
  cost: 'write',
  summary: 'Say otherwise why a newsletter is recommended',
  params: One,
  body: z.object({ reasons: Reasons }),
  audit: { act: 'recommendation_changed', keeps: ['recommendationId'] },
  reply: Recommendation,
  errors: ['recommendation_not_found'],
})

export const orderRecommendations = endpoint('PUT /api/newsletters/:newsletterId/recommendation-order', {
  permission: 'campaigns.write',
  cost: 'write',
  summary: 'Put the recommendations in an order. Those that are not named come after the others',
  params: Newsletter,
  body: z.object({ ids: z.array(z.string().max(20)).max(recommendationLimits.kept) }),
  reply: Done,
})

export const removeRecommendation = endpoint(
  'DELETE /api/newsletters/:newsletterId/recommendations/:recommendationId',
  {
    permission: 'campaigns.write',
    cost: 'write',
    summary: 'Recommend a newsletter no more. What came of it stays counted',
    params: One,
    audit: { act: 'recommendation_removed', keeps: ['recommendationId'] },
    reply: Done,
    errors: ['recommendation_not_found'],
  },
)

const Recommender = z.object({
  id: z.string(),
  /** Who recommends this newsletter. */
  newsletter: Named,
  state: z.enum(['shown', 'waiting', 'declined', 'ended']),
  reasons: z.partialRecord(z.enum(languages), z.string()),
  counts: Counts,
})
export type Recommender = z.infer<typeof Recommender>

const Arrivals = z.object({
  /** The server and id of the newsletter that they said to come from. Null: all that came after a hundred of these. */
  from: z.string().nullable(),
  /** How many confirmed who said so, since the beginning. Nobody has proven it. */
  confirmed: z.int(),
  lastAt: z.iso.datetime(),
})
export type Arrivals = z.infer<typeof Arrivals>

export const listRecommenders = endpoint('GET /api/newsletters/:newsletterId/recommenders', {
  permission: 'campaigns.read',
  cost: 'search',
  summary: 'Who recommends this newsletter, what came of it, and who may',
  params: Newsletter,
  query: Period,
  reply: z.object({ recommendedBy: z.enum(recommendedBy), rows: z.array(Recommender), arrivals: z.array(Arrivals) }),
})

export const setRecommendedBy = endpoint('PUT /api/newsletters/:newsletterId/recommended-by', {
  permission: 'newsletter.write',
  summary: 'Say who may recommend this newsletter: everybody here, those that it accepts, or nobody',
  params: Newsletter,
  body: z.object({ recommendedBy: z.enum(recommendedBy) }),
  audit: { act: 'recommended_by_set', keeps: ['recommendedBy'] },
  reply: Done,
})

export const answerRecommender = endpoint('PUT /api/newsletters/:newsletterId/recommenders/:recommendationId', {
  permission: 'newsletter.write',
  summary: 'Accept or decline to be recommended by a newsletter',
  params: One,
  body: z.object({ accepted: z.boolean() }),
  audit: { act: 'recommender_answered', keeps: ['recommendationId', 'accepted'] },
  reply: Done,
  errors: ['recommendation_not_found'],
})

export const exportRecommendations = endpoint('GET /api/newsletters/:newsletterId/recommendations.csv', {
  permission: 'campaigns.read',
  cost: 'export',
  summary: 'What came of recommendations on each day, both ways, as CSV',
  params: Newsletter,
  query: Period.extend(Sheet.shape),
  reply: Csv,
})
