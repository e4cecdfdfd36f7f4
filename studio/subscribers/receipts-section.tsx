import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { exportReceiptsAsCsv, exportReceiptsAsLines } from '../../server/subscribers/receipts/contract.ts'
import { addressOf } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconDownload } from '../ui/icons.ts'
import { Section } from '../ui/section.tsx'
import classes from './subscribers.module.css'

const formats = [
  ['csv', exportReceiptsAsCsv],
  ['jsonl', exportReceiptsAsLines],
] as const

/** All consent receipts of the newsletter as a file, and how whoever has it checks it. */
export function ReceiptsSection() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id, may } = useNewsletter()
  if (!may('subscribers.export')) return null
  return (
    <Section title={t('newsletters.receipts.title')}>
      <p className={classes.embedText}>{t('newsletters.receipts.text')}</p>
      <p className={classes.embedText}>{t('newsletters.receipts.check')}</p>
      <Group>
        {formats.map(([format, endpoint]) => (
          <Button
            key={format}
            component="a"
            href={addressOf(endpoint, { newsletterId: id }, format === 'csv' ? { sheet } : {})}
            download
            leftSection={<IconDownload size={15} stroke={1.6} />}
          >
            {t(`newsletters.receipts.${format}`)}
          </Button>
        ))}
      </Group>
    </Section>
  )
}
