import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Limit, networkOf } from '../../../http/limits.ts'
import { type PageRequest, page, type Route } from '../../../http/routes.ts'
import type { NewsletterRow } from '../../../http/scope.ts'
import { MailPermissions } from '../../../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../../../newsletters/public-newsletters.ts'
import type { WithRelays } from '../../../relays/relays.ts'
import { recommendedByOf } from '../recommenders.ts'
import { DOCUMENT_DAYS, documentAddress, MEDIA_TYPE, signDocument, subscribeAddress } from './document.ts'

const PATH = '/.well-known/tirage/newsletters/:newsletter.json'
/** From one network in a minute. */
const REQUESTS = 120
const KEPT_MS = 5 * 60_000

/** What each newsletter says of itself to other servers, signed. Those that want no recommendation have none, like unknown and deleted ones. */
export function documentRoutes(context: WithRelays, newsletters: PublicNewsletters): Route[] {
  const { config, db, signer, now } = context
  const mailPermissions = new MailPermissions(context)
  const requests = new Limit(REQUESTS, 60)
  const kept = new LRUCache<string, string>({ max: 1_000, ttl: KEPT_MS })

  async function documentOf({ id, handle, name, description, language }: NewsletterRow): Promise<string | null> {
    if ((await recommendedByOf({ db }, id)) === 'nobody' || !(await mailPermissions.mayMail(id))) return null
    const own = { base: config.publicUrl, name: id }
    const iat = Math.floor(now().getTime() / 1000)
    return signDocument(signer, {
      ...{ url: documentAddress(own), id, handle, name, language, subscribe: subscribeAddress(own) },
      description: description
        .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
        .trim()
        .slice(0, 500),
      ...{ iat, exp: iat + DOCUMENT_DAYS * 86_400 },
    })
  }

  const show = async (request: PageRequest<typeof PATH>, reply: FastifyReply) => {
    await requests.take(networkOf(request.ip))
    const newsletter = await newsletters.find(request.params.newsletter)
    const key = `${newsletter?.id} ${newsletter?.version}`
    const document = newsletter && (kept.get(key) ?? (await documentOf(newsletter)))
    if (newsletter && document) kept.set(key, document)
    return reply
      .code(document ? 200 : 404)
      .type(MEDIA_TYPE)
      .header('cache-control', 'public, max-age=300')
      .send(document || '{}')
  }

  return [page(`GET ${PATH}`, show)]
}
