import { type Claim, thousands } from './claim.ts'
import { runLoad, startBare } from './server.ts'

const SECONDS = 6
const PROMISED = 0.25

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** `/r/{id}` with every click committed, compared with a bare redirect of `node:http` before and after it. */
export const redirect: Claim = {
  name: 'redirect',
  async measure(server) {
    const { port, newsletterId, call, database } = await server()
    const links = `/api/newsletters/${newsletterId}/links`
    const { id } = await call<{ id: string }>('POST', links, { target: 'https://example.org/' })
    const load = { connections: 64, method: 'GET', path: `/r/${id}`, headers: { 'user-agent': agent } } as const
    await runLoad({ ...load, port, seconds: 2 })
    const before = await clicks()
    const bare = await startBare()
    const first = await runLoad({ ...load, port: bare.port, seconds: SECONDS / 2 })
    const ours = await runLoad({ ...load, port, seconds: SECONDS })
    const second = await runLoad({ ...load, port: bare.port, seconds: SECONDS / 2 })
    await bare.stop()
    const stored = (await clicks()) - before
    const reference = (first.perSecond + second.perSecond) / 2
    const ratio = ours.perSecond / reference
    return [
      {
        claim: 'short link, 64 connections',
        promised: `≥ ${PROMISED} × node:http`,
        measured: `${ratio.toFixed(2)} × (${thousands(ours.perSecond)}/s of ${thousands(reference)}/s, p99 ${ours.p99} ms)`,
        kept: ratio >= PROMISED && ours.statuses['302'] === ours.answered,
      },
      {
        claim: 'answered redirects that are clicks on disk',
        promised: 'all',
        measured: `${thousands(stored)} of ${thousands(ours.answered)}`,
        kept: stored >= ours.answered,
      },
    ]

    async function clicks(): Promise<number> {
      const { rows } = await database.query<{ n: number }>(
        'select count(*)::integer as n from click where short_link_id = $1',
        [id],
      )
      return rows[0]?.n ?? 0
    }
  },
}
