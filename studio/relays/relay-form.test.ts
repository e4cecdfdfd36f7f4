import { expect, test } from 'vitest'
import { createRelay, type RelayConfig } from '../../server/relays/contract.ts'
import { bodyOf, type Relay, valuesOf } from './relay-form.ts'

const relay = (way: RelayConfig): Relay => ({
  id: 'r1',
  name: 'Main',
  way,
  weight: 3,
  connections: 4,
  perSecond: 2.5,
  perHour: null,
  enabled: true,
  hasSecret: true,
  hasWebhookSecret: false,
  webhookUrl: null,
  warmUp: null,
  health: { state: 'untried', restingUntil: null, failures: 0, answer: null, answeredAt: null },
  used: { hour: 0, day: 0 },
  share: 1,
  createdAt: '2026-11-21T08:00:00Z',
  changedAt: '2026-11-21T08:00:00Z',
})

const configs: RelayConfig[] = [
  { kind: 'smtp', host: 'mail.example.org', port: 465, security: 'tls', username: null },
  { kind: 'smtp', host: 'mail.example.org', port: 587, security: 'starttls', username: 'ines' },
  { kind: 'ses', region: 'eu-west-3', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', configurationSet: null },
  { kind: 'postmark', messageStream: 'broadcast' },
  { kind: 'mailgun', domain: 'mg.example.org', region: 'eu' },
  { kind: 'resend' },
]

test.each(configs)('a relay of kind $kind is the same after its form, without its secret', (way) => {
  const body = bodyOf(valuesOf(relay(way)))
  expect(body).toEqual({ name: 'Main', way, weight: 3, connections: 4, perSecond: 2.5, perHour: null, warmUp: false })
  expect(createRelay.body.safeParse(body).success).toBe(true)
})

test('a typed secret is sent', () => {
  expect(bodyOf({ ...valuesOf(null), secret: 'hush' })).toMatchObject({ secret: 'hush' })
})
