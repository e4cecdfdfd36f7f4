import { afterEach, describe, expect, test } from 'vitest'
import { eximWith } from '../testing/installed-exim.ts'
import { sayMissing } from '../testing/installed-mail-servers.ts'
import { aTwentieth, RealSendings } from '../testing/real-sending.ts'

/** More than ten connections carry with fifty messages each. */
const SUBSCRIBERS = 600
/** The same with a hundred. */
const MANY = 1_100

const sendings = new RealSendings()
afterEach(() => sendings.stop())

const deny = (message: string, condition = '') => `
  deny message = ${message}
       ${condition}
  accept`

const plain = 'tls_advertise_hosts =\n'
const { missing } = eximWith({ recipients: '' })
sayMissing(eximWith({ recipients: '' }))

describe.skipIf(missing !== null)('Exim', { timeout: 120_000 }, () => {
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
    const program = eximWith({ recipients, settings: plain })
    const sent = await sendings.send({ program, subscribers: SUBSCRIBERS })
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, queued: SUBSCRIBERS })
  })

  test.each([
    ['a hundred messages a session', MANY, 'smtp_accept_max = 100\nsmtp_accept_max_per_connection = 100'],
    ['fifty messages a session', SUBSCRIBERS, 'smtp_accept_max = 100\nsmtp_accept_max_per_connection = 50'],
    ['five connections', SUBSCRIBERS, 'smtp_accept_max = 5\nsmtp_accept_reserve = 0'],
  ])('%s: everybody gets it, and no attempt fails', async (_, count, limit) => {
    const program = eximWith({ recipients: '\n  accept', settings: `${plain}${limit}` })
    const sent = await sendings.send({ program, subscribers: count })
    expect(await sent.counts(sent.id)).toEqual({ intended: count, accepted: count })
    expect(await sent.attempts()).toEqual([1])
  })

  test('greylisting: all wait, are tried again and get it', async () => {
    const recipients = `
  defer message = Greylisted, please try again in a minute
       !ratelimit = 1.5 / 1d / strict / $local_part
  accept`
    const program = eximWith({ recipients, settings: plain })
    const sent = await sendings.send({ program, subscribers: SUBSCRIBERS })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, deferred: SUBSCRIBERS })
    await sent.later()
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: SUBSCRIBERS })
    expect(await sent.attempts()).toEqual([2])
  })

  test('a twentieth of unknown readers: exactly they are marked', async () => {
    const recipients = deny(
      'Unrouteable address',
      `condition = \${if match{$local_part}{${aTwentieth.source.replace('$', '\\$')}}}`,
    )
    const program = eximWith({ recipients, settings: plain })
    const sent = await sendings.send({ program, subscribers: SUBSCRIBERS, unknown: aTwentieth })
    expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  })
})
