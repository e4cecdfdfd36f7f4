import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { exportChosen, exportChosenAsLines } from '../../server/subscribers/bulk/contract.ts'
import { addressOf, download } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconDownload } from '../ui/icons.ts'

type Chosen = z.input<typeof exportChosen.body>['chosen']

const formats = [
  ['csv', exportChosen],
  ['jsonl', exportChosenAsLines],
] as const

export interface Part {
  which: 'shown' | 'chosen'
  chosen: Chosen
}

/** Downloads of all subscribers and, when only some are shown or selected, of those. `part` is null when everybody is shown. */
export function ExportMenu({ part }: { part: Part | null }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const all = { which: 'all', chosen: { matching: {} } } as const
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} stroke={1.6} />}>{t('subscribers.export.title')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(part ? [part, all] : [all]).map(({ which, chosen }) => (
          <div key={which}>
            <Menu.Label>{t(`subscribers.export.${which}`)}</Menu.Label>
            {formats.map(([format, endpoint]) => (
              <Menu.Item
                key={format}
                aria-label={t('ui.within', {
                  whole: t(`subscribers.export.${which}`),
                  part: t(`subscribers.export.${format}`),
                })}
                onClick={() =>
                  download(addressOf(endpoint, { newsletterId: id }, format === 'csv' ? { sheet } : {}), {
                    chosen: JSON.stringify(chosen),
                  })
                }
              >
                {t(`subscribers.export.${format}`)}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
