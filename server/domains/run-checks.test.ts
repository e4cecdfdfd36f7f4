import { expect, test } from 'vitest'
import type { Answer, Dns } from './dns.ts'
import { type CheckInput, runChecks } from './run-checks.ts'

const answer = <T>(records: T[] | undefined): Promise<Answer<T>> =>
  Promise.resolve(records ? { kind: 'found', records } : { kind: 'none' })

function dnsOf(txt: Record<string, string[]>, mx: Record<string, string[]>, addresses: Record<string, string[]>): Dns {
  return {
    txt: (name) => answer(txt[name]),
    mx: (name) => answer(mx[name]?.map((exchange) => ({ exchange, priority: 10 }))),
    addresses: (name) => answer(addresses[name]),
    namesOf: () => answer(undefined),
  }
}

const input: CheckInput = {
  domain: 'a.test',
  senderAddress: 'ines@a.test',
  bounceDomain: null,
  publicHost: 'news.a.test',
  relays: [{ host: 'localhost' }],
  keys: [],
}
const addresses = { 'news.a.test': ['93.184.215.7'], 'mx.a.test': ['93.184.215.9'] }
const covering = ['v=spf1 ip4:93.184.215.7 -all']
const policy = { '_dmarc.a.test': ['v=DMARC1; p=reject'] }

async function statesOf(dns: Dns, given: CheckInput) {
  const findings = await runChecks(dns, given)
  return Object.fromEntries(findings.map(({ check, state, reason }) => [check, `${state} ${reason}`]))
}

test('when bounces go to another domain, SPF and MX of that domain are checked', async () => {
  const given = { ...input, bounceDomain: 'bounces.a.test' }
  const mx = { 'a.test': ['mx.a.test'] }
  const without = dnsOf({ 'a.test': covering, ...policy }, mx, addresses)
  expect(await statesOf(without, given)).toMatchObject({ spf: 'missing spf_none', mx: 'missing mx_bounces' })
  const both = { ...mx, 'bounces.a.test': ['news.a.test'] }
  const whole = dnsOf({ 'bounces.a.test': covering, ...policy }, both, addresses)
  // Both are below one registered domain, so the envelope is aligned (RFC 7489 section 3.1.2).
  expect(await statesOf(whole, given)).toMatchObject({
    spf: 'good spf_covers',
    dmarc: 'good dmarc_passes',
    mx: 'good mx_receives',
  })
})

test('an envelope of an unrelated domain is not aligned', async () => {
  const given = { ...input, bounceDomain: 'bounces.b.test' }
  const dns = dnsOf({ 'bounces.b.test': covering, ...policy }, {}, addresses)
  expect(await statesOf(dns, given)).toMatchObject({ spf: 'good spf_covers', dmarc: 'wrong dmarc_refuses' })
})

test('while mail is caught, SPF needs to allow nobody', async () => {
  const dns = dnsOf({ 'a.test': covering }, {}, addresses)
  expect(await statesOf(dns, { ...input, relays: [] })).toMatchObject({
    spf: 'unknown spf_no_relay',
    dkim: 'missing dkim_no_keys',
    ptr: 'unknown ptr_no_address',
  })
})
