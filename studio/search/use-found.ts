import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { search } from '../../server/search/contract.ts'
import { call } from '../api.ts'
import { addressFor } from '../publications/publication-address.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import type { ChoiceGroup } from '../ui/choice-list.tsx'
import { folded } from '../ui/folded.ts'
import { IconLink, IconPencil, IconUser } from '../ui/icons.ts'
import type { Destination } from './pages.ts'

type Found = z.infer<typeof search.reply>

/** With one letter nearly everything is found. */
const FEWEST_LETTERS = 2

/** What the server finds of these words, as soon as the typing pauses. What was found before is shown meanwhile where it has them too. */
export function useFound(words: string) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const newsletter = useNewsletter()
  const [asked] = useDebouncedValue(words, 250)
  const mayFind = (['publications.read', 'subscribers.read', 'links.read'] as const).some(newsletter.may)
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
  const groups = isWanted && query.data ? groupsOf(query.data, t) : []
  const error = isWanted && asked === words && query.isError ? query.error : null
  return {
    groups: groups.flatMap(({ choices, ...group }): ChoiceGroup<Destination>[] => {
      const shown = choices
        .filter(({ label, detail = '' }) => isCurrent || folded(`${label} ${detail}`).includes(folded(words)))
        .map(({ path, ...choice }) => ({ ...choice, key: path, go: () => navigate(path) }))
      return shown.length > 0 ? [{ ...group, choices: shown }] : []
    }),
    isSearching: isWanted && error === null && (!isCurrent || query.isFetching),
    error,
    retry: query.refetch,
  }
}

const groupsOf = ({ publications, subscribers, links }: Found, t: TFunction) => [
  {
    key: 'publications',
    label: t('shell.find.publications'),
    choices: publications.map((publication) => ({
      path: addressFor(publication),
      icon: IconPencil,
      label: publication.title || t('publish.untitled'),
      detail: detailOf(publication, t),
    })),
  },
  {
    key: 'subscribers',
    label: t('shell.find.subscribers'),
    choices: subscribers.map(({ id, email, name }) => ({
      path: `/subscribers/${id}`,
      icon: IconUser,
      label: email,
      detail: name ?? undefined,
    })),
  },
  {
    key: 'links',
    label: t('shell.find.links'),
    choices: links.map(({ id, name, target }) => ({
      path: `/advertise/links/${id}`,
      icon: IconLink,
      label: name || id,
      detail: target.replace(/^https?:\/\//, ''),
    })),
  },
]

function detailOf({ number, status, channel, caught }: Found['publications'][number], t: TFunction): string {
  const place = caught ? 'caught' : status === 'sent' && channel === 'web' ? 'web' : status
  const state = t(`publish.status.${place}`)
  return number === null ? state : `${t('publish.no', { number })} · ${state}`
}
