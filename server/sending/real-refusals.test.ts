import { afterEach, describe, expect, test } from 'vitest'
import { eximWith, type InstalledProgram, type RunningServer } from '../testing/installed-mail-servers.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

const SUBSCRIBERS = 2_000

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

/** Sends one publication through a real mail server, and compares its record with what the server has. */
async function sendThrough(
  program: InstalledProgram,
  isUnknown: (address: string) => boolean = () => false,
): Promise<TestNewsletter & { id: string; real: RunningServer; addresses: string[]; bounced: string[] }> {
  const real = await program.start()
  open.push(real)
  const server = await startTestNewsletter({ SMTP_URL: `smtp://127.0.0.1:${real.port}` })
  open.push(server)
  const { db } = server.context
  const addresses = Array.from({ length: SUBSCRIBERS }, (_, n) => `r${n}@example.org`)
  await server.addSubscribers(addresses)
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  const accepted = await db.selectFrom('delivery').select('email').where('state', '=', 'accepted').execute()
  expect(accepted.map(({ email }) => email).sort()).toEqual(
    real
      .received()
      .map(({ to }) => to)
      .sort(),
  )
  const rows = await db.selectFrom('subscriber').select('email').where('status', '=', 'bounced').execute()
  const bounced = rows.map(({ email }) => email).sort()
  expect(bounced).toEqual(addresses.filter(isUnknown).sort())
  return { ...server, id, real, addresses, bounced }
}

const deny = (message: string, condition = '') => `
  deny message = ${message}
       ${condition}
  accept`

const plain = 'tls_advertise_hosts =\n'
const { missing } = eximWith({ recipients: '' })
if (missing) console.info(`Skipped: exim4 (${missing})`)

describe.skipIf(missing !== null)('Exim', () => {
  test.each([
    ['relaying denied', { recipients: deny('relay not permitted') }],
    [
      'a quota in words',
      {
        recipients: deny(
          'Domain lowwater.test has exceeded the max emails per hour (500/500 (100%)) allowed.  Message discarded.',
        ),
      },
    ],
    ['a sender that it cannot verify', { recipients: deny('Sender verify failed', '!verify = sender') }],
  ])('%s: the sending pauses, and nobody is bounced', async (_, { recipients }) => {
    const sent = await sendThrough(eximWith({ recipients, settings: plain }))
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, queued: SUBSCRIBERS })
  })

  test.each([
    ['a hundred messages a session', 'smtp_accept_max = 100\nsmtp_accept_max_per_connection = 100'],
    ['five connections', 'smtp_accept_max = 5\nsmtp_accept_reserve = 0'],
  ])('%s: everybody gets it, and no attempt fails', async (_, limit) => {
    const recipients = '\n  accept'
    const sent = await sendThrough(eximWith({ recipients, settings: `${plain}${limit}` }))
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: SUBSCRIBERS })
    const attempts = await sent.context.db.selectFrom('delivery').select('attempts').distinct().execute()
    expect(attempts).toEqual([{ attempts: 1 }])
  })

  test('greylisting: those who wait are tried again and get it', async () => {
    const recipients = `
  defer message = Greylisted, please try again in a minute
       condition = \${if match{$local_part}{7}}
  accept`
    const sent = await sendThrough(eximWith({ recipients, settings: plain }))
    const waiting = sent.addresses.filter((address) => /7/.test(address)).length
    const accepted = SUBSCRIBERS - waiting
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted, deferred: waiting })
  })

  test('a twentieth of unknown readers: exactly they are marked', async () => {
    const unknown = (address: string) => Number(/\d+/.exec(address)?.[0]) % 20 === 7
    const recipients = deny('Unrouteable address', `condition = \${if match{$local_part}{^r([0-9]*[02468])?7\\$}}`)
    const sent = await sendThrough(eximWith({ recipients, settings: plain }), unknown)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  })
})
