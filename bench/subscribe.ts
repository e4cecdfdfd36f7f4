import { setTimeout as delay } from 'node:timers/promises'
import { type Claim, type Measure, thousands } from './claim.ts'
import { cpuSeconds, freePort } from './processes.ts'
import { type Sink, startSinkProcess } from './references.ts'
import { type BenchServer, runLoad, startBenchServer } from './server.ts'

const SECONDS = 6
const PAGES = 5_000
const ASKS = 800
const CONNECTIONS = 64
/** Mails accepted, as a share of the rate of the form alone. */
const MAIL_SHARE = 0.6
/** No more than this many seconds after the last answer of the form, the last mail is accepted. */
const LAST_MAIL_SECONDS = 2

/** While receipts are chained: so many a second, this share of the rate without, and the last receipt so soon. */
const ASKS_CHAINED = 1_500
const CHAINED_SHARE = 0.9
const LAST_CHAINED_SECONDS = 10
const ROUNDS = 3

const body = 'email=bench-{n}%40example.com&language=en&consent=yes&website='
const askingOf = ({ port, newsletterId }: BenchServer) =>
  ({ port, connections: CONNECTIONS, method: 'POST', path: `/subscribe/${newsletterId}`, body }) as const

/** The subscribe page, and requests to subscribe, each with a different address. */
const subscribe: Claim = {
  name: 'subscribe',
  async measure(server) {
    const bench = await server()
    const { port, newsletterId } = bench
    const path = `/subscribe/${newsletterId}`
    const headers = { 'accept-encoding': 'gzip, br', 'accept-language': 'en-GB,en;q=0.8' }
    const page = { port, connections: CONNECTIONS, method: 'GET', path, headers } as const
    await runLoad({ ...page, seconds: 1 })
    const shown = await runLoad({ ...page, seconds: SECONDS })

    await runLoad({ ...askingOf(bench), seconds: 1 })
    const before = await countAsked(bench)
    const asked = await runLoad({ ...askingOf(bench), seconds: SECONDS })
    const stored = (await countAsked(bench)) - before
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
  },
}

/** Subscribers with the consent receipt of their request, which is written together with the queued mail. */
async function countAsked({ database, newsletterId }: BenchServer): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::integer as n from subscriber s join consent c on c.newsletter_id = s.newsletter_id
      and c.subscriber_id = s.id where s.newsletter_id = $1 and c.act = 'asked'`,
    [newsletterId],
  )
  return rows[0]?.n ?? 0
}

/**
 * Sign-ups end to end: from the first request to the acceptance of the last confirmation mail by a relay that accepts
 * everything. Beside it the form alone: the same load on a server that sends no mail, since it has no worker.
 */
const subscribeMail: Claim = {
  name: 'subscribe:mail',
  async measure() {
    const sink = await startSinkProcess()
    try {
      const form = await measureForm(sink)
      return await measureMail(sink, form)
    } finally {
      await sink.stop()
    }
  },
}

interface FormAlone {
  perSecond: number
  /** Of the server, for one request, in milliseconds. */
  cpu: number
}

async function measureForm(sink: Sink): Promise<FormAlone> {
  const bench = await startBenchServer({ ROLE: 'web', SMTP_URL: sink.url })
  try {
    await runLoad({ ...askingOf(bench), seconds: 1 })
    const cpuBefore = cpuSeconds(bench.pid)
    const { perSecond, answered } = await runLoad({ ...askingOf(bench), seconds: SECONDS })
    return { perSecond, cpu: ((cpuSeconds(bench.pid) - cpuBefore) / answered) * 1_000 }
  } finally {
    await bench.stop()
  }
}

async function measureMail(sink: Sink, form: FormAlone): Promise<Measure[]> {
  const bench = await startBenchServer({ SMTP_URL: sink.url })
  try {
    const asking = askingOf(bench)
    await runLoad({ ...asking, seconds: 1 })
    await untilSent(bench)
    const cpuBefore = cpuSeconds(bench.pid)
    const begun = performance.now()
    const asked = await runLoad({ ...asking, seconds: SECONDS })
    const answeredAt = performance.now()
    await untilSent(bench)
    const sentAt = performance.now()
    const rate = asked.answered / ((sentAt - begun) / 1_000)
    const last = (sentAt - answeredAt) / 1_000
    const cpu = ((cpuSeconds(bench.pid) - cpuBefore) / asked.answered) * 1_000
    return [
      {
        claim: `sign-ups until ${sink.name} accepted the mail, ${CONNECTIONS} connections`,
        promised: `≥ ${MAIL_SHARE} × the form alone`,
        measured: `${thousands(rate)}/s, ${(rate / form.perSecond).toFixed(2)} × ${thousands(form.perSecond)}/s; CPU of the server ${form.cpu.toFixed(2)} ms a form, ${(cpu - form.cpu).toFixed(2)} ms a mail`,
        kept: rate >= MAIL_SHARE * form.perSecond && asked.statuses['303'] === asked.answered,
      },
      {
        claim: 'the last mail after the last answer of the form',
        promised: `≤ ${LAST_MAIL_SECONDS} s`,
        measured: `${last.toFixed(2)} s, ${thousands(asked.answered)} mails`,
        kept: last <= LAST_MAIL_SECONDS,
      },
    ]
  } finally {
    await bench.stop()
  }
}

/** A mail leaves the queue when its acceptance is committed. */
async function untilSent({ database }: BenchServer): Promise<void> {
  for (;;) {
    const { rows } = await database.query('select from confirmation_mail limit 1')
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * The form while receipts are chained, and while none are, in turn on the same server. Without: the trigger that notes that a receipt
 * waits is off, so that nothing of the chain is there. No relay answers, so that mails are queued and take no time of the two.
 */
const subscribeReceipts: Claim = {
  name: 'subscribe:receipts',
  async measure() {
    const bench = await startBenchServer({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    try {
      return await measureReceipts(bench)
    } finally {
      await bench.stop()
    }
  },
}

async function measureReceipts(bench: BenchServer): Promise<Measure[]> {
  const { database } = bench
  const asking = askingOf(bench)
  const rates = { with: [] as number[], without: [] as number[] }
  let answered = 0
  let lag = 0
  for (let round = 0; round <= ROUNDS; round++) {
    // Each of the two is first in every other round, and the first round warms up.
    for (const arm of round % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      await database.query(`alter table consent ${arm === 'with' ? 'enable' : 'disable'} trigger await_chaining`)
      const asked = await runLoad({ ...asking, seconds: round === 0 ? 2 : SECONDS })
      const end = performance.now()
      if (arm === 'without') await delay(1_000)
      else await untilChained(database)
      if (asked.statuses['303'] !== asked.answered)
        throw new Error(`not all were taken: ${JSON.stringify(asked.statuses)}`)
      if (arm === 'with') answered += asked.answered
      if (arm === 'with') lag = Math.max(lag, (performance.now() - end) / 1_000)
      if (round > 0) rates[arm].push(asked.perSecond)
    }
  }
  const { rows } = await database.query<{ n: number }>('select count(*)::integer as n from receipt_chain')
  const chained = rows[0]?.n ?? 0
  const [chaining, bare] = [median(rates.with), median(rates.without)]
  return [
    {
      claim: 'asking to subscribe, committed, with receipts chained, mail queued',
      promised: `≥ ${thousands(ASKS_CHAINED)}/s`,
      measured: `${thousands(chaining)}/s, median of ${ROUNDS}`,
      kept: chaining >= ASKS_CHAINED,
    },
    {
      claim: 'beside it without a chain, in turn',
      promised: `≥ ${CHAINED_SHARE} ×`,
      measured: `${(chaining / bare).toFixed(2)} × ${thousands(bare)}/s`,
      kept: chaining >= CHAINED_SHARE * bare,
    },
    {
      claim: 'answered asks whose receipt is in the chain',
      promised: `all, ≤ ${LAST_CHAINED_SECONDS} s after the last answer`,
      measured: `${thousands(chained)} of ${thousands(answered)}, ${lag.toFixed(1)} s`,
      kept: chained === answered && lag <= LAST_CHAINED_SECONDS,
    },
  ]
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Gives up after ten times the time that is promised. */
async function untilChained(database: BenchServer['database']): Promise<void> {
  const deadline = performance.now() + LAST_CHAINED_SECONDS * 10_000
  while (performance.now() < deadline) {
    const { rows } = await database.query('select from unchained_receipt limit 1')
    if (rows.length === 0) return
    await delay(20)
  }
}

export const subscribeClaims: Claim[] = [subscribe, subscribeMail, subscribeReceipts]
