import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { listAudit } from '../../server/audit/contract.ts'
import type { AccountAct } from '../../server/audit-acts.ts'
import { currencies, writtenSum } from '../../server/charge/money.ts'
import type { Language } from '../../server/languages.ts'
import { saleDayKinds, sponsorSettingNames } from '../../server/sponsorship/contract.ts'
import { welcomeChanges } from '../../server/welcomes/contract.ts'
import { useFormat } from '../format.ts'
import { knownCode } from '../known-code.ts'
import { useLanguage } from '../language.ts'
import { shownTitle } from '../ui/shown-title.ts'
import { areaOf } from './areas.ts'
import { changeName, methodName, roleName, settingName, sponsorSettingName, stepName } from './names.ts'

/** The name of a length of time, among the sentences. */
export const daysName = (days: unknown) => daysNames.get(days) ?? 'always'

const daysNames = new Map<unknown, 'quarter' | 'year' | 'years'>([
  [90, 'quarter'],
  [365, 'year'],
  [1095, 'years'],
])

const namedActs = [
  'campaign_changed',
  'campaign_withdrawn',
  'opt_ins_exported',
  'placement_changed',
  'placement_made',
  'relay_changed',
] as const

export type Line = z.infer<typeof listAudit.reply>['rows'][number]

/** Says in a sentence what a line's act was. */
export function useActSentence(): (line: Line) => string {
  const { t } = useTranslation()
  return actSentences(t, useFormat(), useLanguage())
}

/** Of what has a name in each language. */
const nameIn = (names: unknown, language: Language): string => {
  const name = typeof names === 'object' && names !== null && Reflect.get(names, language)
  return typeof name === 'string' ? name : ''
}

/** The same, in a given language. */
export const actSentences =
  (
    t: TFunction,
    format: Pick<ReturnType<typeof useFormat>, 'number' | 'momentOfYear' | 'calendarDayInWords'>,
    language: Language,
  ) =>
  ({ act, actor, detail, about, publication, method, reason }: Line): string => {
    const text = (name: string) => (typeof detail[name] === 'string' ? detail[name] : '')
    const count = (name: string) => (typeof detail[name] === 'number' ? format.number(detail[name]) : '')
    const changed = text('act') && changeName(t, text('act'))
    const step = text('act') && stepName(t, text('act'))
    const currency = knownCode(currencies, detail.currency)
    const welcomeChange = knownCode(welcomeChanges, detail.change)
    const settings = Object.keys(detail).map((name) => settingName(t, name))
    const sponsorSettings = sponsorSettingNames
      .filter((name) => name in detail)
      .map((name) => sponsorSettingName(t, name))
    const days = typeof detail.days === 'number' ? detail.days : 0
    // Older lines do not say which it was.
    const named = text('name') && namedActs.find((one) => one === act)
    const whole = named ? (`audit.named.${named}` as const) : (`audit.act.${act}` as const)
    if (act === 'subscriber_erased' && actor === 'subscriber') return t('audit.erasedThemselves')
    const area = act === 'access_refused' && areaOf(text('path'))
    if (area)
      return t(`audit.refused.${text('method') !== 'GET' ? 'change' : isFile(text('path')) ? 'download' : 'see'}`, {
        area: t(`audit.area.${area}`),
      })
    const special =
      (act === 'outside_file_entered' && detail.dryRun === true && 'audit.fileTried') ||
      (act === 'publication_sent' && text('at') && 'audit.scheduled') ||
      (act === 'subscription_changed' && detail.ended === true && 'audit.subscriptionEnded') ||
      (act === 'campaign_changed' && detail.launched === true && 'audit.launched') ||
      (act === 'booking_link_made' &&
        text('sponsor') &&
        (`audit.link.${detail.renew === true ? 'renewed' : 'shown'}` as const)) ||
      (act === 'booking_report_link_made' &&
        text('sponsor') &&
        (`audit.reportLink.${detail.renew === true ? 'renewed' : 'shown'}` as const)) ||
      (act === 'publication_deleted' && publication && 'audit.publicationDeleted') ||
      (act === 'sponsor_day_set' &&
        text('day') &&
        (`audit.saleDay.${knownCode(saleDayKinds, detail.kind) ?? 'left'}` as const)) ||
      (act === 'welcome_set' && welcomeChange && (`audit.welcome.${welcomeChange}` as const))
    return t(special || whole, {
      // Who was refused wrote what nobody has as a name.
      name: nameIn(detail.names, language) || text('name') || text('newsletter'),
      when: text('at') && format.momentOfYear(text('at')),
      day: text('day') && format.calendarDayInWords(text('day')),
      sponsor: text('sponsor'),
      step:
        typeof detail.givenBack === 'number' && currency
          ? t('audit.stepSum', { step, sum: writtenSum(detail.givenBack, currency, language) })
          : step,
      code: text('code'),
      // It went with the account or the subscriber that it was of.
      email: text('email') || t('audit.goneAddress'),
      address: text('address'),
      domain: text('domain'),
      reason,
      part: t(detail.whole === false ? 'audit.part.some' : 'audit.part.all'),
      role: text('role') && roleName(t, text('role')),
      days: t(`audit.days.${daysName(detail.days)}`),
      lasts: t('audit.lasts', { count: days, n: format.number(days) }),
      settings: settings.join(', ') || t('audit.noSetting'),
      sponsorSettings: sponsorSettings.join(', ') || t('audit.noSetting'),
      linkId: text('linkId'),
      account: text('account'),
      seen: count('seen'),
      gifts: count('count'),
      change: detail.undone === true ? t('audit.changes.undone', { change: changed }) : changed,
      subscribers: count('subscribers'),
      count: Number(detail.subscribers ?? detail.seen ?? detail.count),
      changed: count('changed'),
      about: about?.name ?? t('audit.nobody'),
      publication: shownTitle(publication?.title, t),
      method: methodName(t, method),
    })
  }

/** Whoever may see what is in a file may still not download it. */
const isFile = (path: string): boolean => /\.(csv|jsonl)$/.test(path)

/** Acts whose sentence says itself that nothing came of them. */
const refusals: readonly string[] = ['access_refused', 'sign_in_failed']

/** What is said before the sentence of an act, which tells it as done, when it was not. */
export const outcomeText = (t: TFunction, { act, outcome }: Pick<Line, 'outcome'> & { act: string }): string | null =>
  outcome === 'done' || refusals.includes(act) ? null : t(`audit.outcome.${outcome}`)

/** Says who did it. */
export function useWho(): (line: Line) => string {
  const { t } = useTranslation()
  return ({ actor, who, apiKey }) => {
    if (actor === 'api_key') return apiKey?.name ? t('audit.key', { name: apiKey.name }) : t('audit.endedKey')
    if (actor === 'member') return who?.name || t('audit.nobody')
    return t(`audit.actor.${actor}`)
  }
}

/** The same for what happened at the door of an account. */
export function useAccountActSentence(): (event: { act: AccountAct; method: string | null }) => string {
  const { t } = useTranslation()
  return ({ act, method }) => t(`audit.act.${act}`, { method: methodName(t, method) })
}
