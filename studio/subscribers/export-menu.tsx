import { Button, Menu, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { exportSubscribers, exportSubscribersAsLines } from '../../server/subscribers/contract.ts'
import { addressOf } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconDownload } from '../ui/icons.ts'

type Matching = z.input<typeof exportSubscribers.query>

/** So many chosen subscribers can be named in an address. */
export const MOST_NAMED = 200

const formats = [
  ['csv', exportSubscribers],
  ['jsonl', exportSubscribersAsLines],
] as const

/** Downloads of all subscribers and, when only some are shown or selected, of those. `tooMany`: more are selected than can be named. */
export function ExportMenu({ shown, tooMany }: { shown: Matching; tooMany: boolean }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const isPart = Object.values(shown).some((value) => value !== undefined && value !== '')
  const some = shown.ids === undefined ? 'shown' : 'chosen'
  const part = (which: 'shown' | 'chosen' | 'all', matching: Matching) => (
    <>
      <Menu.Label>{t(`subscribers.export.${which}`)}</Menu.Label>
      {formats.map(([format, endpoint]) => (
        <Menu.Item
          key={format}
          component="a"
          href={addressOf(endpoint, { newsletterId: id }, matching)}
          download
          aria-label={`${t(`subscribers.export.${which}`)}: ${t(`subscribers.export.${format}`)}`}
        >
          {t(`subscribers.export.${format}`)}
        </Menu.Item>
      ))}
    </>
  )
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} stroke={1.6} />}>{t('subscribers.export.title')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tooMany && (
          <Text size="xs" p="xs" maw={260}>
            {t('subscribers.export.tooMany', { most: MOST_NAMED })}
          </Text>
        )}
        {isPart && part(some, shown)}
        {part('all', {})}
      </Menu.Dropdown>
    </Menu>
  )
}
