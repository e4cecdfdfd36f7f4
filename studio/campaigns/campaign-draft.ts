import type { z } from 'zod'
import type { OptInWords, updateOptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import { type Language, languages } from '../../server/languages.ts'
import { withSchemeOrNull } from '../links/typed-address.ts'
import type { Faults } from '../ui/faults.ts'
import { instantAt, wallTimeOf } from '../wall-clock.ts'
import type { Campaign } from './queries.ts'

type Change = z.input<typeof updateOptInCampaign.body>

/** An opt-in campaign as its form has it: times are local ones of the newsletter, such as `2026-12-05T07:00`. */
export interface CampaignDraft {
  name: string
  words: Record<Language, OptInWords>
  beneficiary: 'newsletter' | 'other_newsletter' | 'sponsor'
  tagId: string | null
  newsletter: string
  sponsor: { name: string; address: string; privacy: string }
  startsAt: string
  endsAt: string
  cap: number | null
  accent: string
}

/** What each part of the form gets. */
export interface DraftPart {
  draft: CampaignDraft
  faults: Faults
  set: (values: Partial<CampaignDraft>) => void
}

const wordParts = ['question', 'offer', 'yes', 'afterYes'] as const

const noWords: OptInWords = { question: '', offer: '', yes: '', afterYes: '' }

export function draftOf(campaign: Campaign, timezone: string): CampaignDraft {
  const { kind, tagId, newsletter, sponsor } = campaign.beneficiary
  return {
    name: campaign.name,
    words: Object.fromEntries(languages.map((one) => [one, campaign.words[one] ?? noWords])) as CampaignDraft['words'],
    beneficiary: kind,
    tagId: tagId === null ? null : String(tagId),
    newsletter: newsletter?.id ?? '',
    sponsor: sponsor ?? { name: '', address: '', privacy: '' },
    startsAt: localOf(campaign.startsAt, timezone),
    endsAt: localOf(campaign.endsAt, timezone),
    cap: campaign.cap,
    accent: campaign.accent ?? '',
  }
}

function localOf(at: string | null, timezone: string): string {
  if (at === null) return ''
  const { date, time } = wallTimeOf(new Date(at), timezone)
  return `${date}T${time}`
}

/** The moment of a local time, in ISO 8601; null for one that is not whole. */
export function instantOf(local: string, timezone: string): string | null {
  const [date = '', time = ''] = local.split('T')
  return instantAt({ date, time: time.slice(0, 5) }, timezone)?.instant.toISOString() ?? null
}

/** Whether something is written in a language, and whether everything is. */
export function writtenIn(words: OptInWords): 'none' | 'some' | 'all' {
  const written = wordParts.filter((part) => words[part].trim() !== '').length
  return written === 0 ? 'none' : written === wordParts.length ? 'all' : 'some'
}

/** What is missing in a draft, by its path in what the API gets: no language is half written, and a beneficiary has a name. */
export function missingIn({ name, words, beneficiary, newsletter, sponsor }: CampaignDraft): string[] {
  const halves = languages.flatMap((one) =>
    writtenIn(words[one]) === 'some'
      ? wordParts.filter((part) => words[one][part].trim() === '').map((part) => `words.${one}.${part}`)
      : [],
  )
  return [
    ...(name.trim() === '' ? ['name'] : []),
    ...halves,
    ...(beneficiary === 'sponsor' && sponsor.name.trim() === '' ? ['beneficiary.sponsor.name'] : []),
    ...(beneficiary === 'other_newsletter' && newsletter.trim() === '' ? ['beneficiary.newsletter'] : []),
  ]
}

/** Whether it would close before it opens. */
export const endsTooEarly = ({ startsAt, endsAt }: Pick<CampaignDraft, 'startsAt' | 'endsAt'>): boolean =>
  startsAt !== '' && endsAt !== '' && endsAt <= startsAt

/** What the API gets. */
export function changeOf(draft: CampaignDraft, campaign: Campaign, timezone: string): Change {
  // Fields have minutes. A time that nobody typed keeps its seconds.
  const timeOf = (field: 'startsAt' | 'endsAt') =>
    draft[field] === localOf(campaign[field], timezone) ? campaign[field] : instantOf(draft[field], timezone)
  const { name, words, beneficiary: kind, tagId, newsletter, sponsor, cap, accent } = draft
  const beneficiary = {
    newsletter: { kind: 'newsletter' as const, tagId: tagId === null ? null : Number(tagId) },
    other_newsletter: { kind: 'other_newsletter' as const, newsletter: newsletter.trim() },
    sponsor: {
      kind: 'sponsor' as const,
      sponsor: { ...sponsor, privacy: withSchemeOrNull(sponsor.privacy) ?? '' },
    },
  }[kind]
  return {
    name,
    words: Object.fromEntries(languages.flatMap((one) => (writtenIn(words[one]) === 'all' ? [[one, words[one]]] : []))),
    beneficiary,
    startsAt: timeOf('startsAt'),
    endsAt: timeOf('endsAt'),
    cap,
    accent: accent === '' ? null : accent,
  }
}
