import { createInstance } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import en from '../i18n/en.ts'
import fr from '../i18n/fr.ts'
import { outsideMeans, stripeMeans } from '../server/charge/outside/contract.ts'
import { comparedValues } from '../server/charge/payment-events/contract.ts'
import { signInFailures, signInMeans } from '../server/identity/contract.ts'
import { settingNames } from '../server/newsletters/contract.ts'
import { roleNames } from '../server/permissions.ts'
import { DeliveryState } from '../server/sending/contract.ts'
import { bookingActs } from '../server/sponsorship/bookings/contract.ts'
import { BulkAct } from '../server/subscribers/bulk/contract.ts'
import { consentMeans, ownLiftReasons } from '../server/subscribers/contract.ts'
import { changeName, methodName, roleName, settingName, stepName } from './audit/names.ts'
import { originText, ownOrigins } from './charge/figures/origin-text.ts'
import { subscriptionStates, valueName, valueText } from './charge/said/values.ts'
import { meansText } from './charge/words.ts'
import { whyOf } from './subscribers/stopped-mail.tsx'
import { meansText as consentMeansText, deliveryText } from './subscribers/subscriber-parts.tsx'
import { ownSources, sourceName } from './subscribers/use-source-name.ts'

/** Nobody knows it, and it looks like a code. */
const NOBODY = 'nobody_knows.this'

describe.each([
  ['en', en],
  ['fr', fr],
] as const)('in %s', (language, translation) => {
  const i18n = createInstance()
  beforeAll(() => i18n.init({ lng: language, resources: { [language]: { translation } }, returnNull: false }))
  const { t } = i18n
  const said = (name: string) => (value: string) => valueText({ t, format: { momentOfYear: String } }, name, value)

  test.each<[string, readonly string[], (code: string) => string]>([
    ['means of payments', [...outsideMeans, ...stripeMeans], (code) => meansText(t, code)],
    ['compared values', comparedValues, (code) => valueName(t, code)],
    ['compared states', subscriptionStates, said('status')],
    ['compared ways', ['card', 'outside', 'complimentary', 'gift'], said('way')],
    ['compared periods', ['month', 'year', 'once'], said('period')],
    ['ways to sign in, and failures', [...signInMeans, ...signInFailures], (code) => methodName(t, code)],
    ['bulk changes', BulkAct.options, (code) => changeName(t, code)],
    ['settings', settingNames, (code) => settingName(t, code)],
    ['acts of bookings', bookingActs, (code) => stepName(t, code)],
    ['roles', roleNames, (code) => roleName(t, code)],
    ['states of deliveries', DeliveryState.options, (state) => deliveryText(t, { state, returned: null })],
    ['means of consent', consentMeans, (code) => consentMeansText(t, code)],
    ['reasons of the server', ownLiftReasons, (reason) => whyOf(t, { actor: 'system', reason })],
  ])('%s all have words, and one that nobody knows has a general sentence', (_, codes, wordsOf) => {
    const general = wordsOf(NOBODY)
    for (const words of [general, ...codes.map(wordsOf)]) expect(words).not.toMatch(/_|\.[a-z]|^$/)
    expect(codes.filter((code) => code !== 'unknown' && wordsOf(code) === general)).toEqual([])
  })

  test.each<[string, readonly string[], (code: string) => string]>([
    ['sales', ownOrigins, (code) => originText(t, code)],
    ['subscribers', ownSources, (code) => sourceName(t, code)],
  ])('sources of %s have words, and what an owner wrote stays as it is', (_, codes, wordsOf) => {
    for (const code of codes) expect(wordsOf(code)).not.toMatch(/_|\.[a-z]|^$/)
    expect(wordsOf('Radio, at noon')).toBe('Radio, at noon')
  })
})
