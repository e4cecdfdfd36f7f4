import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { doc, h, p } from '../server/seed/document-builder.ts'
import type { Claim } from './claim.ts'
import { startBenchServer } from './server.ts'

const BLOCKS = 8_000
const AT_ONCE = 20
const PROMISED_MS = 200
const TOKEN = 'the token of a bench that reads figures'

/** Nearly as many nodes as a document may have, with marks and links. */
const longDocument = doc(
  ...Array.from({ length: BLOCKS / 8 }, (_, at) => [
    h(2, `Port ${at}`),
    p(`La mer descend à ${at % 24} h, puis **remonte**`),
    p(`[Le port de Brest en dit plus](https://example.org/${at})`),
    p('On attend l’étale, puis on part.'),
    p('Rien ne presse : la barre ne se passe qu’à mi-marée.'),
    p('Le vent tourne à l’ouest, et la mer se lève.'),
    p('À quai, on compte les caisses et l’on se tait.'),
    p('Demain, on repart avant le jour.'),
  ]).flat(),
)

/** Previews of a very long publication, all at once: everybody else goes on being answered, and each preview is. */
export const previews: Claim = {
  name: 'previews',
  async measure() {
    const server = await startBenchServer({ METRICS_TOKEN: TOKEN })
    try {
      const publications = `/api/newsletters/${server.newsletterId}/publications`
      const content = longDocument
      const { id } = await server.call<{ id: string }>('POST', publications, { title: 'Marées', content })
      await server.call('POST', `${publications}/${id}/preview`, { content })
      const idle = await probeDuring(server.url, () => delay(4_000))
      await longestDelay(server.url)

      let failed = 0
      let longest = 0
      const storm = async () => {
        const begun = performance.now()
        await Promise.all(Array.from({ length: AT_ONCE }, one))
        longest = performance.now() - begun
      }
      const one = () =>
        server.call('POST', `${publications}/${id}/preview`, { content }).catch((error: unknown) => {
          failed++
          console.error(String(error).slice(0, 300))
        })
      const busy = await probeDuring(server.url, storm)
      const held = await longestDelay(server.url)
      return [
        {
          claim: `/healthz during ${AT_ONCE} previews of ${BLOCKS} blocks`,
          promised: `p99 ≤ ${PROMISED_MS} ms`,
          measured: `p99 ${busy.p99.toFixed(0)} ms (${idle.p99.toFixed(0)} ms when idle; longest delay of the event loop ${held.toFixed(0)} ms)`,
          kept: busy.p99 <= PROMISED_MS,
        },
        {
          claim: 'of these previews',
          promised: 'all answered',
          measured: `${AT_ONCE - failed} of ${AT_ONCE}, the last after ${(longest / 1000).toFixed(1)} s`,
          kept: failed === 0,
        },
      ]
    } finally {
      await server.stop()
    }
  },
}

interface Probed {
  p99: number
  longest: number
}

/** How `/healthz` is answered while something happens. */
async function probeDuring(url: string, act: () => Promise<unknown>): Promise<Probed> {
  const script = join(import.meta.dirname, 'probe.ts')
  const probe = spawn(process.execPath, [script, `${url}/healthz`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const output = text(probe.stdout)
  await act()
  probe.stdin.end()
  const probed: Probed = JSON.parse(await output)
  return probed
}

/** Milliseconds since this was last asked. */
async function longestDelay(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const figure = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text())?.[1]
  return Number(figure) * 1000
}
