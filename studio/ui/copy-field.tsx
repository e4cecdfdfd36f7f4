import { Button, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconCheck, IconCopy } from './icons.ts'
import classes from './ui.module.css'

/** An address or a secret with a button that copies it. A secret that is `shown` otherwise can be read whole, to be typed elsewhere. */
export function CopyField({ value, mono = false, shown }: { value: string; mono?: boolean; shown?: ReactNode }) {
  return (
    <div className={classes.copy}>
      <span
        className={mono ? classes.mono : undefined}
        data-whole={(mono && shown !== undefined) || undefined}
        title={shown === undefined ? value : undefined}
      >
        {shown ?? value}
      </span>
      <CopyAct value={value} />
    </div>
  )
}

/** The button alone, for what is shown elsewhere. */
export function CopyAct({ value }: { value: string }) {
  const { t } = useTranslation()
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} stroke={1.6} /> : <IconCopy size={14} stroke={1.6} />}
        >
          <span aria-live="polite">{copied ? t('ui.copied') : t('ui.copy')}</span>
        </Button>
      )}
    </CopyButton>
  )
}
