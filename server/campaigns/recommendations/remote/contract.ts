import { z } from 'zod'
import { endpoint, line, Newsletter } from '../../../http/endpoint.ts'
import { addRecommendation, changeRecommendation, RemoteClocks } from '../contract.ts'

const Address = line(500)
/** An Ed25519 public key, as the `x` of its JWK. */
const Key = z.string().regex(/^[\w-]{43}$/)

const Found = z.object({
  name: z.string(),
  description: z.string(),
  language: z.string(),
  /** Of its server. */
  host: z.string(),
  url: z.string(),
  key: z.string(),
  ...RemoteClocks,
})
export type FoundNewsletter = z.infer<typeof Found>

const unread = ['remote_unreachable', 'remote_invalid', 'remote_ahead', 'remote_over', 'remote_here'] as const

export const findRemoteNewsletter = endpoint('POST /api/newsletters/:newsletterId/remote-newsletters', {
  permission: 'campaigns.write',
  cost: 'dns',
  summary:
    'Read what a newsletter of another server says of itself, by the address of one of its pages. Nothing is kept',
  params: Newsletter,
  body: z.object({ address: Address }),
  reply: Found,
  errors: unread,
})

export const addRemoteRecommendation = endpoint('POST /api/newsletters/:newsletterId/remote-recommendations', {
  permission: 'campaigns.write',
  cost: 'dns',
  summary: 'Recommend a newsletter of another server, with the key that was shown',
  params: Newsletter,
  body: z.object({ address: Address, key: Key, reasons: addRecommendation.body.shape.reasons }),
  audit: { act: 'remote_recommendation_added', keeps: ['address', 'key'] },
  reply: addRecommendation.reply,
  errors: [...unread, 'remote_changed', 'remote_older', 'recommended_already', 'too_many_recommendations'],
})

export const acceptRemoteChange = endpoint(
  'POST /api/newsletters/:newsletterId/recommendations/:recommendationId/remote-change',
  {
    permission: 'campaigns.write',
    cost: 'dns',
    summary: 'Accept the name and key that a newsletter of another server has now',
    params: changeRecommendation.params,
    body: z.object({ name: line(120), key: Key }),
    audit: { act: 'remote_change_accepted', keeps: ['recommendationId', 'name', 'key'] },
    reply: changeRecommendation.reply,
    errors: ['recommendation_not_found', ...unread, 'remote_changed', 'remote_older'],
  },
)
