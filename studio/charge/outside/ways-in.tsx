import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconCode, IconPlus, IconUpload } from '../../ui/icons.ts'
import { EnterDialog } from './enter-dialog.tsx'
import { FileDialog } from './file-dialog.tsx'
import { usePlans } from './subscription-table.tsx'

/** Whether a subscription can be entered here: by who may, once there is a plan to enter it for. */
export function useMayEnter(): boolean {
  const { may } = useNewsletter()
  const hasPlan = usePlans().some(({ kind, closedAt }) => kind === 'paid' && !closedAt)
  return may('charge.write') && hasPlan
}

/** The three ways in for a subscription that Stripe does not charge. */
export function WaysIn() {
  const { t } = useTranslation()
  const mayEnter = useMayEnter()
  const [opened, open] = useState<'enter' | 'file' | null>(null)
  if (!mayEnter) return null
  return (
    <Group gap={6}>
      <Button size="xs" leftSection={<IconPlus size={14} stroke={1.6} />} onClick={() => open('enter')}>
        {t('plans.outside.byHand')}
      </Button>
      <Button size="xs" leftSection={<IconUpload size={14} stroke={1.6} />} onClick={() => open('file')}>
        {t('plans.outside.byFile')}
      </Button>
      <Button
        size="xs"
        component="a"
        href="/api/docs#tag/charge"
        target="_blank"
        rel="noopener"
        leftSection={<IconCode size={14} stroke={1.6} />}
      >
        {t('plans.outside.byApi')}
      </Button>
      {opened === 'enter' && <EnterDialog onClose={() => open(null)} />}
      {opened === 'file' && <FileDialog onClose={() => open(null)} />}
    </Group>
  )
}
