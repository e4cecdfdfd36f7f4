import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import en from '../../i18n/en.ts'
import fr from '../../i18n/fr.ts'
import { AccountAct, AuditAct } from '../../server/audit-acts.ts'
import { tags } from '../../server/http/api-words.ts'
import { languages } from '../../server/languages.ts'
import { saleDayKinds } from '../../server/sponsorship/contract.ts'
import { actSentences, type Line, outcomeText } from './sentences.ts'

const line: Omit<Line, 'act'> = {
  id: '1',
  at: '2026-11-27T04:00:00.000Z',
  outcome: 'done',
  actor: 'member',
  who: null,
  apiKey: null,
  about: null,
  publication: null,
  method: null,
  reason: '',
  network: '',
  detail: {},
}

test('each part of a newsletter that the API knows has words for what was refused there', async () => {
  const i18n = createInstance()
  await i18n.init({ lng: 'en', resources: { en: { translation: en } } })
  const say = actSentences(i18n.t, { number: String, momentOfYear: String, calendarDayInWords: String }, 'en')
  const of = (method: string, path: string) => say({ ...line, act: 'access_refused', detail: { method, path } })
  const whole = '/api/newsletters/:newsletterId'
  const notOfANewsletter = ['analytics', 'identity', 'me', 'newsletters']
  for (const part of Object.keys(tags).filter((tag) => !notOfANewsletter.includes(tag)))
    expect([part, of('GET', `${whole}/${part}/:id`)]).toEqual([part, expect.stringMatching(/^Tried to see .*, which/)])
  expect(of('GET', `${whole}/outbox`)).toBe('Tried to see the outbox, which their role does not allow')
  for (const file of ['subscribers.csv', 'subscribers.jsonl'])
    expect(of('GET', `${whole}/${file}`)).toBe(
      'Tried to download the subscribers as a file, which their role does not allow',
    )
  expect(of('PATCH', whole)).toBe('Tried to change the settings of the newsletter, which their role does not allow')
  expect(of('GET', `${whole}/of-an-older-server`)).toBe('Tried what their role does not allow')
})

test('before the sentence of what was refused it is said that it was not done, unless the sentence says so', async () => {
  const i18n = createInstance()
  await i18n.init({ lng: 'en', resources: { en: { translation: en } } })
  const before = (act: Line['act'], outcome: Line['outcome']) => outcomeText(i18n.t, { act, outcome })
  expect(before('member_invited', 'done')).toBeNull()
  expect(before('member_invited', 'refused')).toBe('Refused. This was not done:')
  expect(before('access_refused', 'refused')).toBeNull()
  expect(before('sign_in_failed', 'refused')).toBeNull()
})

test.each(languages)('every act has a sentence without a hole, %s', async (language) => {
  const i18n = createInstance()
  await i18n.init({ lng: language, resources: { en: { translation: en }, fr: { translation: fr } } })
  const say = actSentences(i18n.t, { number: String, momentOfYear: String, calendarDayInWords: String }, language)
  for (const act of [...AuditAct.options, ...AccountAct.options]) {
    const words = say({ ...line, act })
    expect(words, act).not.toMatch(/\{\{|undefined|audit\./)
  }
  const at = '2026-11-28T07:00:00.000Z'
  expect(say({ ...line, act: 'publication_sent', detail: { at } })).toContain(at)
  const launched = { name: 'Mimosa', launched: true }
  expect(say({ ...line, act: 'campaign_changed', detail: launched })).toBe(i18n.t('audit.launched', launched))
  const detail = { days: 30, count: 3, linkId: 'h7', senderName: 'Lou', dryRun: true, sponsor: 'Quai 3', act: 'cancel' }
  const of = (act: Line['act']) => say({ ...line, act, detail })
  expect(say({ ...line, act: 'subscriber_erased', actor: 'subscriber' })).toBe(i18n.t('audit.erasedThemselves'))
  expect(say({ ...line, act: 'recommendation_added', detail: { newsletter: 'no-such' } })).toContain('no-such')
  expect(of('opt_in_list_shared')).toContain('30')
  expect(of('gifts_made')).toContain('3')
  for (const kind of [...saleDayKinds, null]) {
    const set = { day: '2026-12-05', kind }
    expect(say({ ...line, act: 'sponsor_day_set', detail: set })).toBe(i18n.t(`audit.saleDay.${kind ?? 'left'}`, set))
  }
  expect(of('link_changed')).toContain('h7')
  expect(of('link_made')).toContain('h7')
  expect(say({ ...line, act: 'sponsorship_changed', detail: { page: 'open' } })).toContain(
    i18n.t('audit.sponsorSettings.page'),
  )
  expect(of('outside_file_entered')).toBe(i18n.t('audit.fileTried'))
  expect(say({ ...line, act: 'subscription_changed', detail: { ended: true } })).toBe(i18n.t('audit.subscriptionEnded'))
  const moved = { act: 'price_move_started', detail: { seen: 1 } } as const
  expect(say({ ...line, ...moved })).toBe(i18n.t('audit.act.price_move_started', { count: 1, seen: 1 }))
  const held = say({ ...line, act: 'welcome_set', detail: { change: 'held' } })
  expect(held).toBe(i18n.t('audit.welcome.held', { publication: i18n.t('ui.untitled') }))
  for (const act of ['campaign_changed', 'placement_changed', 'placement_made', 'relay_changed'] as const) {
    expect(say({ ...line, act, detail: { name: 'Mimosa' } })).toContain('Mimosa')
    // A name in each language is read in that of the reader.
    const names = { en: 'Middle', fr: 'Milieu' }
    expect(say({ ...line, act, detail: { name: 'Mimosa', names } })).toMatch(/Middle|Milieu/)
    // What was written down before it had a name.
    expect(say({ ...line, act })).toBe(i18n.t(`audit.act.${act}`))
  }
  expect(of('booking_changed')).toContain(i18n.t('audit.step.cancel'))
  const link = (act: Line['act'], told: Line['detail']) => say({ ...line, act, detail: told })
  const sponsor = 'Quai 3'
  expect(link('booking_link_made', { sponsor, renew: false })).toBe(i18n.t('audit.link.shown', { sponsor }))
  expect(link('booking_link_made', { sponsor, renew: true })).toBe(i18n.t('audit.link.renewed', { sponsor }))
  expect(link('booking_report_link_made', { sponsor, renew: true })).toBe(
    i18n.t('audit.reportLink.renewed', { sponsor }),
  )
  expect(link('booking_link_made', { renew: true })).toBe(i18n.t('audit.act.booking_link_made'))
  const gone = { id: 'p', title: 'Kelp' }
  expect(say({ ...line, act: 'publication_deleted', publication: gone })).toContain('Kelp')
})
