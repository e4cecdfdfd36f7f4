import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deviceOf, excludedBy, exclusionRules, factsOf, isPrefetch, signsOf } from './human.ts'

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const facts = { agent: FIREFOX, test: false, notGet: false, prefetched: false, dataCentre: false }

describe('a click', () => {
  test.each([SAFARI, FIREFOX, CHROME])('by %s is a person’s', (agent) => {
    expect(excludedBy({ ...facts, agent })).toBeNull()
  })

  test.each([
    ['test', { test: true }],
    ['head', { notGet: true }],
    ['prefetch', { prefetched: true }],
    ['data-centre', { dataCentre: true }],
    ['no-agent', { agent: '' }],
    ['no-agent', { agent: '  ' }],
    ['scanner', { agent: 'Mozilla/5.0 (compatible; Proofpoint URL Defense)' }],
    ['scanner', { agent: 'Microsoft Office Existence Discovery' }],
    ['scanner', { agent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' }],
    ['bot', { agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
    ['bot', { agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['bot', { agent: 'curl/8.9.1' }],
    ['bot', { agent: 'python-requests/2.32.0' }],
  ])('is excluded by %s: %j', (rule, click) => {
    expect(excludedBy({ ...facts, ...click })).toBe(rule)
  })

  test('is excluded by the first rule that holds, and that rule is published; what is kept of it is judged alike', () => {
    const some = fc.record({
      agent: fc.string(),
      test: fc.boolean(),
      notGet: fc.boolean(),
      prefetched: fc.boolean(),
      dataCentre: fc.boolean(),
    })
    fc.assert(
      fc.property(some, (click) => {
        const rule = excludedBy(click)
        if (click.test) expect(rule).toBe('test')
        else if (click.notGet) expect(rule).toBe('head')
        else if (click.prefetched) expect(rule).toBe('prefetch')
        expect(rule === null || exclusionRules.includes(rule)).toBe(true)
        expect(factsOf(click.agent, signsOf(click))).toEqual(click)
      }),
    )
  })
})

test.each(['prefetch', 'prefetch;prerender', 'preview'])('%s announces a prefetch', (purpose) =>
  expect(isPrefetch(purpose)).toBe(true),
)

test.each([
  [SAFARI, 'phone'],
  [FIREFOX, 'desktop'],
  [CHROME, 'desktop'],
  ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'phone'],
  ['', 'other'],
])('%s is a %s', (agent, device) => expect(deviceOf(agent)).toBe(device))
