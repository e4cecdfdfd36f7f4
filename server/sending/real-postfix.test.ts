import { afterEach, describe, expect, test } from 'vitest'
import { sayMissing } from '../testing/installed-mail-servers.ts'
import { postfixWith } from '../testing/installed-postfix.ts'
import { type Decide, startPolicyServer } from '../testing/postfix-policy.ts'
import { aTwentieth, nobody, RealSendings } from '../testing/real-sending.ts'

/** More than ten connections carry with fifty messages each. */
const SUBSCRIBERS = 600
/** The same with a hundred. */
const MANY = 1_100

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

const send = (settings: string, subscribers = SUBSCRIBERS, unknown = nobody) => {
  const sendings = new RealSendings()
  open.push(sendings)
  return sendings.send({ program: postfixWith(settings), subscribers, unknown })
}

/** A restriction that asks a policy service about each recipient, as postgrey and policyd are asked. */
async function asking(decide: Decide): Promise<string> {
  const policy = await startPolicyServer(decide)
  open.push(policy)
  return `smtpd_recipient_restrictions = ${policy.restriction}\n`
}

/** Lets each connection carry so many envelopes. */
function limitOf(messages: number, answer: string): Decide {
  const carried = new Map<string | undefined, number>()
  return (request) => {
    const port = request.get('client_port')
    const count = (carried.get(port) ?? 0) + 1
    carried.set(port, count)
    return count > messages ? answer : 'DUNNO'
  }
}

const { missing } = postfixWith('')
sayMissing(postfixWith(''))

describe.skipIf(missing !== null)('Postfix', { timeout: 120_000 }, () => {
  test.each([
    [
      'relaying denied',
      `virtual_mailbox_domains =
smtpd_relay_restrictions = reject_unauth_destination
`,
    ],
    [
      'a sender that it cannot verify',
      `smtpd_sender_restrictions = reject_unverified_sender
unverified_sender_reject_code = 550
address_verify_poll_delay = 1
transport_maps = inline:{{lowwater.test=error:5.1.1 No such user}}
`,
    ],
    [
      'a sender that it refuses at MAIL FROM',
      `smtpd_delay_reject = no
smtpd_sender_restrictions = check_sender_access inline:{{lowwater.test=550 5.7.1 not yours}}
`,
    ],
  ])('%s: the sending pauses, and nobody is bounced', async (_, settings) => {
    const sent = await send(settings)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, queued: SUBSCRIBERS })
  })

  // Postfix says so for now unless it is told otherwise.
  test.each([
    ['relaying denied for now', 'virtual_mailbox_domains =\n'],
    [
      'a sender that it refuses for now, at MAIL FROM',
      `smtpd_delay_reject = no
smtpd_error_sleep_time = 0
smtpd_sender_restrictions = check_sender_access inline:{{lowwater.test=450 4.7.1 not yours}}
`,
    ],
  ])('%s: it rests, then the sending pauses, and few were tried', async (_, settings) => {
    const sent = await send(settings)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_unreachable' })
    const { queued = 0, deferred = 0 } = await sent.counts(sent.id)
    expect(queued + deferred).toBe(SUBSCRIBERS)
    expect(deferred).toBeLessThanOrEqual(50)
  })

  test('a quota in words: the sending pauses, nobody is bounced, and later everybody gets it', async () => {
    let left = 250
    const quota = await asking(() => (left-- > 0 ? 'DUNNO' : 'REJECT max emails per hour (250/250) exceeded'))
    const sent = await send(quota)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
    const { accepted = 0, queued } = await sent.counts(sent.id)
    expect(queued).toBe(SUBSCRIBERS - accepted)
    expect(accepted).toBeGreaterThan(0)
    left = SUBSCRIBERS
    await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/resume`, {})
    await sent.later()
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: SUBSCRIBERS })
  })

  test('a rate that its anvil counts: the sending pauses, and no attempt is counted', async () => {
    const sent = await send('smtpd_client_message_rate_limit = 250\nanvil_rate_time_unit = 1h\n')
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused' })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: 250, queued: SUBSCRIBERS - 250 })
    expect(await sent.attempts()).toEqual([0, 1])
  })

  test('greylisting, and too many errors a session: all wait, are tried again and get it', async () => {
    const seen = new Set<string | undefined>()
    const greylist = await asking((request) => {
      const to = request.get('recipient')
      const isKnown = seen.has(to)
      seen.add(to)
      return isKnown ? 'DUNNO' : 'DEFER_IF_PERMIT Greylisted, see http://postgrey.schweikert.ch/help/example.org.html'
    })
    const sent = await send(`${greylist}smtpd_hard_error_limit = 5\n`)
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, deferred: SUBSCRIBERS })
    await sent.later()
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: SUBSCRIBERS })
    expect(await sent.attempts()).toEqual([2])
  })

  test.each([
    ['a hundred messages a session', MANY, () => asking(limitOf(100, '452 4.5.3 Too many messages in this session'))],
    [
      'fifty messages a session',
      SUBSCRIBERS,
      () => asking(limitOf(50, '421 4.7.0 Too many messages in this connection')),
    ],
    ['five connections', SUBSCRIBERS, async () => 'smtpd_client_connection_count_limit = 5\n'],
    [
      'thirteen new connections an hour',
      SUBSCRIBERS,
      async () => 'smtpd_client_connection_rate_limit = 13\nanvil_rate_time_unit = 1h\n',
    ],
  ])('%s: everybody gets it, and no attempt fails', async (_, count, settings) => {
    const sent = await send(await settings(), count)
    expect(await sent.counts(sent.id)).toEqual({ intended: count, accepted: count })
    expect(await sent.attempts()).toEqual([1])
  })

  test('a twentieth of unknown readers: exactly they are marked', async () => {
    // It looks up the domain alone too.
    const gone = aTwentieth.source.replace('$', '@|^@')
    const sent = await send(`virtual_mailbox_maps = regexp:{{!/${gone}/ all/}}\n`, SUBSCRIBERS, aTwentieth)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  })
})
