import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type en from '../../i18n/en/find.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import type { useNewPublication } from '../publications/use-new-publication.ts'
import { helpParts } from '../shell/help-questions.ts'
import { navigationFor } from '../shell/navigation.ts'
import { useNewsletterChoice } from '../shell/newsletter.tsx'
import type { Choice, ChoiceGroup } from '../ui/choice-list.tsx'
import { folded } from '../ui/folded.ts'
import { IconAdjustments, IconHelp, IconPlus, IconSwitchHorizontal } from '../ui/icons.ts'

/** Somewhere that the command palette leads to. */
export interface Destination extends Choice {
  /** More words by which it is found. */
  words?: string
  go: () => unknown
  /** Whether the palette stays open then. */
  stays?: boolean
}

const HELP = 'help'

/** What somebody looks for who does not know the name of its page. */
const wordsOf: { [path: string]: `find.words.${keyof (typeof en)['words']}` } = {
  [studioPaths.subscribers]: 'find.words.subscribers',
  [studioPaths.imports]: 'find.words.imports',
  [studioPaths.links]: 'find.words.links',
  [studioPaths.campaigns]: 'find.words.campaigns',
  [studioPaths.placements]: 'find.words.placements',
  [studioPaths.calendar]: 'find.words.calendar',
  [studioPaths.chargePlans]: 'find.words.plans',
  [studioPaths.chargePayments]: 'find.words.payments',
  [studioPaths.outbox]: 'find.words.outbox',
  [studioPaths.subscribingSettings]: 'find.words.subscribing',
  [studioPaths.profile]: 'find.words.profile',
}

/** Every page that the member may open, every newsletter, the new publication, and what the help answers. */
export function usePages(begin: ReturnType<typeof useNewPublication>): ChoiceGroup<Destination>[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { newsletter, newsletters, choose } = useNewsletterChoice()
  const to = (path: string) => ({
    key: path,
    go: () => navigate(path),
    ...(wordsOf[path] && { words: t(wordsOf[path]) }),
  })
  const pages = navigationFor(newsletter.may).flatMap(({ path, label, icon, within = [] }) => [
    { ...to(path), icon, label: t(`shell.nav.${label}`) },
    ...within
      .filter((page) => page.path !== path)
      .map((page) => ({
        ...to(page.path),
        icon,
        label: t('ui.within', { whole: t(`shell.nav.${label}`), part: t(page.title) }),
        ...(page.about && { detail: t(page.about) }),
      })),
  ])
  const writing = { key: 'new', icon: IconPlus, label: t('shell.newPublication'), go: () => begin.mutate() }
  const help = { ...to(studioPaths.help), icon: IconHelp, label: t('shell.titles.help') }
  const profile = { ...to(studioPaths.profile), icon: IconAdjustments, label: t('shell.profile') }
  const questions = helpParts.flatMap(({ questions }) =>
    questions.map(({ question, path }) => ({
      key: `help-${question}`,
      icon: IconHelp,
      label: t(`help.${question}.question`),
      go: () => navigate(path ?? studioPaths.help),
    })),
  )
  const others = newsletters
    .filter(({ id }) => id !== newsletter.id)
    .map(({ id, name }) => ({
      key: `newsletter-${id}`,
      icon: IconSwitchHorizontal,
      label: t('shell.openNewsletter', { name }),
      go: () => choose(id),
    }))
  return [
    {
      key: 'pages',
      label: t('find.pages'),
      choices: [...(newsletter.may('publications.write') ? [writing] : []), ...pages, help, profile],
    },
    { key: 'newsletters', label: t('find.newsletters'), choices: others },
    { key: HELP, label: t('shell.titles.help'), choices: questions },
  ]
}

/** Those that have each of the words in what they say of themselves, in any order, and first those that are called so; accents and capitals do not matter. Questions wait for a word. */
export const matchingPages = (groups: ChoiceGroup<Destination>[], words: string): ChoiceGroup<Destination>[] =>
  groups.flatMap((group) => {
    if (words === '' && group.key === HELP) return []
    const parts = folded(words).split(/\s+/)
    const has = (text: string) => parts.every((part) => folded(text).includes(part))
    const named = group.choices.filter(({ label }) => has(label))
    const about = group.choices.filter(
      ({ label, detail = '', words: more = '' }) => !has(label) && has(`${label} ${detail} ${more}`),
    )
    const choices = [...named, ...about]
    return choices.length > 0 ? [{ ...group, choices }] : []
  })
