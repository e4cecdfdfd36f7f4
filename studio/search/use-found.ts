import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { generatePath, useNavigate } from 'react-router'
import type { z } from 'zod'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import type { Language } from '../../server/languages.ts'
import { search } from '../../server/search/contract.ts'
import { call } from '../api.ts'
import { campaignPath } from '../campaigns/queries.ts'
import { planName } from '../charge/words.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { addressFor } from '../publications/publication-address.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { bookingPath } from '../sponsorship/booking-path.ts'
import { placementName } from '../sponsorship/words.ts'
import type { Choice, ChoiceGroup } from '../ui/choice-list.tsx'
import { folded } from '../ui/folded.ts'
import { IconCalendar, IconLink, IconPencil, IconReceipt, IconSpeakerphone, IconUser, IconUsers } from '../ui/icons.ts'
import { shownTitle } from '../ui/shown-title.ts'
import type { Destination } from './pages.ts'

type Found = z.infer<typeof search.reply>

const finding = [
  'publications.read',
  'subscribers.read',
  'links.read',
  'charge.read',
  'campaigns.read',
  'sponsorship.read',
] as const

/** With one letter nearly everything is found. */
const FEWEST_LETTERS = 2

/** What the server finds of these words, as soon as the typing pauses. What was found before is shown meanwhile where it has them too. */
export function useFound(words: string) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const newsletter = useNewsletter()
  const language = useLanguage()
  const format = useFormat()
  const [asked] = useDebouncedValue(words, 250)
  const mayFind = finding.some(newsletter.may)
  const isWanted = mayFind && words.length >= FEWEST_LETTERS
  const query = useQuery({
    queryKey: [newsletter.id, 'search', asked],
    queryFn: ({ signal }) =>
      call(search, { params: { newsletterId: newsletter.id }, query: { search: asked }, signal }),
    enabled: isWanted && asked.length >= FEWEST_LETTERS,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const isCurrent = asked === words && !query.isPlaceholderData
  const groups = isWanted && query.data ? groupsOf(query.data, { t, language, format }) : []
  const error = isWanted && asked === words && query.isError ? query.error : null
  return {
    groups: groups.flatMap(({ choices, ...group }): ChoiceGroup<Destination>[] => {
      const shown = choices
        .filter(({ label, detail = '' }) => isCurrent || folded(`${label} ${detail}`).includes(folded(words)))
        .map(({ path, key = path, ...choice }) => ({ ...choice, key, go: () => navigate(path) }))
      return shown.length > 0 ? [{ ...group, choices: shown }] : []
    }),
    isSearching: isWanted && error === null && (!isCurrent || query.isFetching),
    error,
    retry: query.refetch,
  }
}

interface Shown {
  t: TFunction
  language: Language
  format: ReturnType<typeof useFormat>
}

/** Several choices may lead to one page: they have a key of their own. */
interface FoundChoice extends Omit<Choice, 'key'> {
  path: string
  key?: string
}

const groupsOf = (
  { publications, subscribers, segments, links, plans, campaigns, placements, bookings }: Found,
  { t, language, format }: Shown,
): (Omit<ChoiceGroup, 'choices'> & { choices: FoundChoice[] })[] => [
  {
    key: 'publications',
    label: t('find.publications'),
    choices: publications.map((publication) => ({
      path: addressFor(publication),
      icon: IconPencil,
      label: shownTitle(publication.title, t),
      detail: detailOf(publication, t),
    })),
  },
  {
    key: 'subscribers',
    label: t('find.subscribers'),
    choices: subscribers.map(({ id, email, name }) => ({
      path: `/subscribers/${id}`,
      icon: IconUser,
      label: email,
      detail: name ?? undefined,
    })),
  },
  {
    key: 'segments',
    label: t('shell.titles.segments'),
    choices: segments.map(({ id, name }) => ({
      path: generatePath(studioPaths.segment, { segmentId: String(id) }),
      icon: IconUsers,
      label: name,
    })),
  },
  {
    key: 'links',
    label: t('find.links'),
    choices: links.map(({ id, name, target }) => ({
      path: `/advertise/links/${id}`,
      icon: IconLink,
      label: name || id,
      detail: target.replace(/^https?:\/\//, ''),
    })),
  },
  {
    key: 'plans',
    label: t('shell.titles.plans'),
    choices: plans.map((plan) => ({
      path: generatePath(studioPaths.chargePlan, { planId: String(plan.id) }),
      icon: IconReceipt,
      label: planName(plan, language),
    })),
  },
  {
    key: 'campaigns',
    label: t('shell.titles.campaigns'),
    choices: campaigns.map(({ id, name }) => ({ path: campaignPath(id), icon: IconSpeakerphone, label: name })),
  },
  {
    key: 'placements',
    label: t('shell.titles.placements'),
    choices: placements.map((placement) => ({
      key: `placement-${placement.id}`,
      path: studioPaths.placements,
      icon: IconSpeakerphone,
      label: placementName(placement, language),
    })),
  },
  {
    key: 'bookings',
    label: t('find.bookings'),
    choices: bookings.map(({ id, sponsor, day, state, placement }) => ({
      path: bookingPath(id),
      icon: IconCalendar,
      label: holdMarks(sponsor),
      detail: [format.calendarDayOfYear(day), placementName(placement, language), t(`sponsorship.state.${state}`)].join(
        ' · ',
      ),
    })),
  },
]

function detailOf({ number, status, channel, caught }: Found['publications'][number], t: TFunction): string {
  const place = caught ? 'caught' : status === 'sent' && channel === 'web' ? 'web' : status
  const state = t(`publish.status.${place}`)
  return number === null ? state : `${t('publish.no', { number })} · ${state}`
}
