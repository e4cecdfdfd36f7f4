import { type Claim, thousands } from './claim.ts'
import { runLoad } from './server.ts'

const KILLED_AFTER_MS = 2_000

/** A redirect that was answered is a click on disk, even when the process is killed under load. */
export const kill: Claim = {
  name: 'kill',
  async measure(server) {
    const { port, newsletterId, call, database, kill } = await server()
    const target = { target: 'https://example.org/' }
    const { id } = await call<{ id: string }>('POST', `/api/newsletters/${newsletterId}/links`, target)
    const load = runLoad({ port, connections: 64, seconds: 30, method: 'GET', path: `/r/${id}` })
    await new Promise((resolve) => setTimeout(resolve, KILLED_AFTER_MS))
    await kill()
    const { answered, cut } = await load
    const { rows } = await database.query<{ n: number }>(
      `select (select count(*) from click where short_link_id = $1)::integer
        + (select count(*) from click_waiting, unnest(short_link_id) c where c = $1)::integer as n`,
      [id],
    )
    const stored = rows[0]?.n ?? 0
    return [
      {
        claim: 'answered before kill -9, and on disk after it',
        promised: 'all',
        measured: `${thousands(stored)} of ${thousands(answered)} (${cut} connections cut)`,
        kept: answered > 0 && cut > 0 && stored >= answered,
      },
    ]
  },
}
