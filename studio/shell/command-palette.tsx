import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { useNewPublication } from '../publications/use-new-publication.ts'
import { IconAdjustments, IconPlus, IconSearch, IconSwitchHorizontal } from '../ui/icons.ts'
import { navigationFor } from './navigation.ts'
import { useNewsletterChoice } from './newsletter.tsx'

/** Finds every page that the member may open, every newsletter and the new publication by name. */
export function CommandPalette({ begin, asked }: { begin: ReturnType<typeof useNewPublication>; asked: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens each time it is asked for
  useEffect(() => spotlight.open(), [asked])
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { newsletter, newsletters, choose } = useNewsletterChoice()
  const go = (path: string) => () => void navigate(path)
  const actions: SpotlightActionData[] = [
    {
      id: 'new',
      label: t('shell.newPublication'),
      leftSection: <IconPlus size={18} stroke={1.6} />,
      onClick: () => begin.mutate(),
    },
    ...navigationFor(newsletter.may).flatMap(({ path, label, icon: Icon, within = [] }) => [
      { id: path, label: t(`shell.nav.${label}`), leftSection: <Icon size={18} stroke={1.6} />, onClick: go(path) },
      ...within
        .filter((page) => page.path !== path)
        .map((page) => ({
          id: page.path,
          label: `${t(`shell.nav.${label}`)}: ${t(page.title)}`,
          leftSection: <Icon size={18} stroke={1.6} />,
          onClick: go(page.path),
        })),
    ]),
    {
      id: 'profile',
      label: t('shell.profile'),
      leftSection: <IconAdjustments size={18} stroke={1.6} />,
      onClick: go('/profile'),
    },
    ...newsletters
      .filter(({ id }) => id !== newsletter.id)
      .map(({ id, name }) => ({
        id: `newsletter-${id}`,
        label: t('shell.openNewsletter', { name }),
        leftSection: <IconSwitchHorizontal size={18} stroke={1.6} />,
        onClick: () => choose(id),
      })),
  ]
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('shell.goTo') } }}
      nothingFound={t('shell.nothingFound')}
      scrollable
      maxHeight={420}
      radius="md"
      overlayProps={{ color: '#15191C', backgroundOpacity: 0.34, blur: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t('shell.goTo'),
        'aria-label': t('shell.goTo'),
      }}
    />
  )
}
