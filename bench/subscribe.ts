import { type Claim, thousands } from './claim.ts'
import { runLoad } from './server.ts'

const SECONDS = 6
const PAGES = 5_000
const ASKS = 800

/** The subscribe page, and requests to subscribe, each with a different address. */
export const subscribe: Claim = {
  name: 'subscribe',
  async measure(server) {
    const { port, newsletterId, database } = await server()
    const path = `/subscribe/${newsletterId}`
    const headers = { 'accept-encoding': 'gzip, br', 'accept-language': 'en-GB,en;q=0.8' }
    const page = { port, connections: 64, method: 'GET', path, headers } as const
    await runLoad({ ...page, seconds: 1 })
    const shown = await runLoad({ ...page, seconds: SECONDS })

    const body = 'email=bench-{n}%40example.com&language=en&consent=yes&website='
    const ask = { port, connections: 64, method: 'POST', path, body } as const
    await runLoad({ ...ask, seconds: 1 })
    const before = await pending()
    const asked = await runLoad({ ...ask, seconds: SECONDS })
    const stored = (await pending()) - before
    return [
      {
        claim: 'subscribe page',
        promised: `≥ ${thousands(PAGES)}/s`,
        measured: `${thousands(shown.perSecond)}/s, p99 ${shown.p99} ms`,
        kept: shown.perSecond >= PAGES && shown.statuses['200'] === shown.answered,
      },
      {
        claim: 'asking to subscribe, committed, mail queued',
        promised: `≥ ${thousands(ASKS)}/s`,
        measured: `${thousands(asked.perSecond)}/s, p99 ${asked.p99} ms`,
        kept: asked.perSecond >= ASKS && asked.statuses['303'] === asked.answered,
      },
      {
        claim: 'answered asks that are subscribers on disk',
        promised: 'all',
        measured: `${thousands(stored)} of ${thousands(asked.answered)}`,
        kept: stored === asked.answered,
      },
    ]

    /** Subscribers with the consent receipt of their request, which is written together with the queued mail. */
    async function pending(): Promise<number> {
      const { rows } = await database.query<{ n: number }>(
        `select count(*)::integer as n from subscriber s join consent c on c.newsletter_id = s.newsletter_id
          and c.subscriber_id = s.id where s.newsletter_id = $1 and c.act = 'asked'`,
        [newsletterId],
      )
      return rows[0]?.n ?? 0
    }
  },
}
