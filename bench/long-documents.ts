import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { doc, h, p } from '../server/seed/document-builder.ts'
import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'

const BLOCKS = 8_000
const AT_ONCE = 20
const PROMISED_MS = 200
/** The metric's own clock ticks every 10 ms, which are in it. */
const HELD_MS = 50
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

/**
 * A very long publication: twenty previews of it at once are all answered, everybody else goes on being answered, and nothing that is done
 * with it holds the event loop for long.
 */
export const longDocuments: Claim = {
  name: 'long-documents',
  async measure() {
    const server = await startBenchServer({ METRICS_TOKEN: TOKEN })
    try {
      return [...(await previews(server)), ...(await holds(server))]
    } finally {
      await server.stop()
    }
  },
}

const content = longDocument
const title = 'Marées'

async function previews({ newsletterId, url, call }: BenchServer): Promise<Measure[]> {
  const publications = `/api/newsletters/${newsletterId}/publications`
  const { id } = await call<{ id: string }>('POST', publications, { title, content })
  const preview = () => call('POST', `${publications}/${id}/preview`, { content })
  await preview()
  const idle = await probeDuring(url, () => delay(4_000))

  let failed = 0
  let longest = 0
  const storm = async () => {
    const begun = performance.now()
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    longest = performance.now() - begun
  }
  const one = () =>
    preview().catch((error: unknown) => {
      failed++
      console.error(String(error).slice(0, 300))
    })
  const busy = await probeDuring(url, storm)
  return [
    {
      claim: `/healthz during ${AT_ONCE} previews of ${BLOCKS} blocks`,
      promised: `p99 ≤ ${PROMISED_MS} ms`,
      measured: `p99 ${busy.p99.toFixed(0)} ms (${idle.p99.toFixed(0)} ms when idle)`,
      kept: busy.p99 <= PROMISED_MS,
    },
    {
      claim: 'of these previews',
      promised: 'all answered',
      measured: `${AT_ONCE - failed} of ${AT_ONCE}, the last after ${(longest / 1000).toFixed(1)} s`,
      kept: failed === 0,
    },
  ]
}

/** How long each act holds the event loop, one after the other, and each for the second time: the first one starts threads and warms code. */
async function holds(server: BenchServer): Promise<Measure[]> {
  const { newsletterId, url, call, database } = server
  const publications = `/api/newsletters/${newsletterId}/publications`
  await database.query(
    `update newsletter set postal_address = '4 quai de la Criée, 29770 Audierne', sender_address = 'ines@example.org'`,
  )
  await database.query(
    `insert into sender_proof (newsletter_id, address, proved_at) values ($1, 'ines@example.org', now())`,
    [newsletterId],
  )
  await database.query(
    `insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
     select $1, gen_random_uuid(), i || '@example.org', i || '@example.org', (array['en', 'fr'])[i % 2 + 1], 'active', now()
     from generate_series(1, 20) i`,
    [newsletterId],
  )
  const { id, revision } = await call<{ id: string; revision: number }>('POST', publications, { title, content })
  const publication = `${publications}/${id}`
  const acts: [string, () => Promise<unknown>][] = [
    ['nothing at all', () => delay(2_000)],
    ['a preview', () => call('POST', `${publication}/preview`, { content })],
    ['the check before sending', () => call('GET', `${publication}/check`)],
    ['saving', () => call('PATCH', publication, { content, revision })],
    ['opening the editor', () => call('GET', publication)],
    ['publishing and sending', () => publish(server, publication)],
    ['a reader of the page', async () => (await fetch(await pageOf(server, publication))).text()],
    ['a reader of the feed', async () => (await fetch(`${url}/n/${newsletterId}/feed.xml`)).text()],
  ]
  const rows: Measure[] = []
  for (const [name, act] of acts) {
    await longestDelay(url)
    await act()
    const held = await longestDelay(url)
    rows.push({
      claim: `${BLOCKS} blocks: ${name}`,
      promised: `holds the event loop ≤ ${HELD_MS} ms`,
      measured: `${held.toFixed(0)} ms`,
      kept: held <= HELD_MS,
    })
  }
  return rows
}

/** Until all mails are accepted. */
async function publish({ call, database }: BenchServer, publication: string): Promise<void> {
  await call('POST', `${publication}/send`, { channel: 'everywhere' })
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await database.query<{ accepted: number }>(
      'select sum(accepted)::integer as accepted from delivery_count',
    )
    if (rows[0]?.accepted === 20) return
    await delay(100)
  }
  throw new Error('the mails were not sent')
}

async function pageOf({ call }: BenchServer, publication: string): Promise<string> {
  const { url } = await call<{ url: string | null }>('GET', publication)
  if (!url) throw new Error('it is not on the web')
  return url
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
