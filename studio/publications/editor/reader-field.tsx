import { NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './reader-field.module.css'
import { useReaderChoices } from './readers.ts'

interface Props {
  value: string
  onChange: (value: string) => void
}

/** Chooses as whom a publication is shown, where readers see different parts of it. */
export function ReaderField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const readers = useReaderChoices()
  const label = useId()
  return (
    <div className={classes.readers}>
      <span id={label}>{t('publish.preview.reader')}</span>
      <NativeSelect
        size="xs"
        aria-labelledby={label}
        data={readers}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
