import { createInstance } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import en from '../../i18n/en.ts'
import fr from '../../i18n/fr.ts'
import { errorStatus } from '../../server/errors.ts'
import { stopSentence } from './reason-sentences.ts'

describe.each([
  ['en', en],
  ['fr', fr],
] as const)('in %s', (language, translation) => {
  const i18n = createInstance()
  beforeAll(() => i18n.init({ lng: language, resources: { [language]: { translation } }, returnNull: false }))
  const said = (code: string) => stopSentence(i18n.t, code)

  test('a reason of sendings has its own sentence, and any other the sentence of its error', () => {
    expect(said('no_title')).toBe(i18n.t('publish.stopped.no_title'))
    expect(said('storage_away')).toBe(i18n.t('errors.storage_away'))
    expect(said('plan_not_found')).toBe(i18n.t('errors.plan_not_found'))
  })

  test('no code is ever shown, nor a sentence with gaps', () => {
    expect(said('nobody_knows_this')).toBe(i18n.t('publish.stopped.other'))
    expect(said('too_many_bookings')).toBe(i18n.t('publish.stopped.other'))
    for (const code of Object.keys(errorStatus)) expect(said(code)).not.toMatch(/_|\{\{|^$/)
  })
})
