import { Alert, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../shell/newsletter.tsx'
import classes from './newsletters.module.css'
import type { Settings, useSettingsForm } from './use-settings-form.tsx'

const modes = ['person', 'counted', 'off'] as const
const fields = ['clickPrivacy', 'openPrivacy'] as const satisfies readonly (keyof Settings)[]
export type PrivacyField = (typeof fields)[number]

type Form<K extends keyof Settings> = ReturnType<typeof useSettingsForm<K>>['form']

/** What is kept of clicks and opens, and what becomes of what was kept until now. */
export function PrivacyFields<K extends keyof Settings>({ form }: { form: Form<K | PrivacyField> }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const chosen = form.getValues()
  const stricter = fields.filter((field) => newsletter[field] === 'person' && chosen[field] !== 'person')
  return (
    <>
      <h2 className={classes.part}>{t('newsletters.privacy.title')}</h2>
      {fields.map((field) => (
        <Select
          key={field}
          label={t(`newsletters.privacy.${field}`)}
          description={t(`newsletters.privacy.${field}Hint`)}
          allowDeselect={false}
          data={modes.map((value) => ({ value, label: t(`newsletters.privacy.${value}`) }))}
          {...form.getInputProps(field)}
        />
      ))}
      {stricter.length > 0 && (
        <Alert color="ocre" title={t('newsletters.privacy.warningTitle')}>
          {[
            ...stricter.map((field) => t(`newsletters.privacy.erased.${field}`)),
            t('newsletters.privacy.warning'),
          ].join(' ')}
        </Alert>
      )}
    </>
  )
}
