import { afterEach, describe, expect, test } from 'vitest'
import { sayMissing } from '../testing/installed-mail-servers.ts'
import { type OpensmtpdRules, opensmtpdWith } from '../testing/installed-opensmtpd.ts'
import { aTwentieth, nobody, RealSendings } from '../testing/real-sending.ts'

/** More than ten connections carry with fifty messages each. */
const SUBSCRIBERS = 600
/** The same with a hundred. */
const MANY = 1_100

const sendings = new RealSendings()
afterEach(() => sendings.stop())

const send = (rules: OpensmtpdRules, subscribers = SUBSCRIBERS, unknown = nobody) =>
  sendings.send({ program: opensmtpdWith(rules), subscribers, unknown })

/** What a filter is asked or told, what it does at first, and how it decides: lines of sh that set `answer`. */
interface Filter {
  phases: string[]
  first: string
  decide: string
}

const asking = ({ phases, first, decide }: Filter): OpensmtpdRules => ({
  before: 'filter asked proc-exec "FILTER"',
  listen: 'filter asked',
  filter: `#!/bin/sh
${first}
while IFS= read -r line; do [ "$line" = 'config|ready' ] && break; done
${phases.map((phase) => `echo 'register|${phase}'`).join('\n')}
echo 'register|ready'
while IFS='|' read -r kind version time way phase session token value; do
  answer=proceed
  ${decide}
  [ $kind = report ] || echo "filter-result|$session|$token|$answer"
done
`,
})

const refusingSender = (answer: string): OpensmtpdRules => ({
  before: `table members { "@example.net" }\nfilter members phase mail-from match !mail-from <members> reject "${answer}"`,
  listen: 'filter members',
})

const { missing } = opensmtpdWith()
sayMissing(opensmtpdWith())

describe.skipIf(missing !== null)('OpenSMTPD', { timeout: 120_000 }, () => {
  test.each([
    // It says “Invalid recipient”.
    ['relaying denied', { match: 'for domain example.net' }, 'too_many_refusals'],
    ['a sender that it refuses', refusingSender('550 5.7.1 Sender address rejected: not yours'), 'relay_refused'],
  ])('%s: the sending pauses, and nobody is bounced', async (_, rules, reason) => {
    const sent = await send(rules)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: reason })
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, queued: SUBSCRIBERS })
  })

  test('a sender that it cannot verify now: it rests, then the sending pauses, and few were tried', async () => {
    const sent = await send(refusingSender('451 4.1.8 Domain of sender address does not resolve'))
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_unreachable' })
    const { queued = 0, deferred = 0 } = await sent.counts(sent.id)
    expect(queued + deferred).toBe(SUBSCRIBERS)
    expect(deferred).toBeLessThanOrEqual(50)
  })

  test('a quota in words: the sending pauses, and nobody is bounced', async () => {
    const quota = asking({
      phases: ['filter|smtp-in|rcpt-to'],
      first: 'taken=0',
      decide: `taken=$((taken + 1))
  [ $taken -gt 250 ] && answer='reject|550 You have exceeded your hourly limit of 250 messages'`,
    })
    const sent = await send(quota)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
    const { accepted = 0, queued } = await sent.counts(sent.id)
    expect(queued).toBe(SUBSCRIBERS - accepted)
    expect(accepted).toBeGreaterThan(0)
  })

  test('greylisting: all wait, are tried again and get it', async () => {
    const greylist = asking({
      phases: ['filter|smtp-in|rcpt-to'],
      first: 'seen=',
      decide: `case "$seen" in
    *"<$value>"*) ;;
    *) seen="$seen<$value>"; answer='reject|451 Greylisted, please try again in a minute' ;;
  esac`,
    })
    const sent = await send(greylist)
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, deferred: SUBSCRIBERS })
    await sent.later()
    expect(await sent.counts(sent.id)).toEqual({ intended: SUBSCRIBERS, accepted: SUBSCRIBERS })
    expect(await sent.attempts()).toEqual([2])
  })

  const fiveConnections = asking({
    phases: ['report|smtp-in|link-disconnect', 'filter|smtp-in|connect'],
    first: 'open=',
    decide: `if [ $kind = report ]; then
    open=$(echo "$open" | sed "s/ $session//")
  else
    set -- $open
    if [ $# -ge 5 ]; then answer='disconnect|421 Too many connections'; else open="$open $session"; fi
  fi`,
  })

  test.each([
    ['a hundred messages a session, as it is delivered', MANY, {}],
    ['fifty messages a session', SUBSCRIBERS, { before: 'smtp limit max-mails 50' }],
    ['five connections', SUBSCRIBERS, fiveConnections],
  ])('%s: everybody gets it, and no attempt fails', async (_, count, rules) => {
    const sent = await send(rules, count)
    expect(await sent.counts(sent.id)).toEqual({ intended: count, accepted: count })
    expect(await sent.attempts()).toEqual([1])
  })

  test('a twentieth of unknown readers: exactly they are marked', async () => {
    const gone = aTwentieth.source.replace('$', '@')
    const sent = await send({ before: `match from any for rcpt-to regex "${gone}" reject` }, SUBSCRIBERS, aTwentieth)
    expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  })
})
