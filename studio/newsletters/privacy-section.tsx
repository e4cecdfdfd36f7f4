import { Alert, Select, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../shell/newsletter.tsx'
import { SettingsForm } from './settings-page.tsx'
import { useSettingsForm } from './use-settings-form.ts'

const modes = ['person', 'counted', 'off'] as const
const fields = ['clickPrivacy', 'openPrivacy'] as const

/** What is kept of clicks and opens, and what becomes of what was kept until now. */
export function PrivacySection() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const settings = useSettingsForm(fields)
  const chosen = settings.form.getValues()
  const isStricter = fields.some((field) => newsletter[field] === 'person' && chosen[field] !== 'person')
  return (
    <>
      <Title order={2} size="h3" mt="xl" mb="xs">
        {t('newsletters.privacy.title')}
      </Title>
      <SettingsForm form={settings}>
        {fields.map((field) => (
          <Select
            key={field}
            label={t(`newsletters.privacy.${field}`)}
            description={t(`newsletters.privacy.${field}Hint`)}
            allowDeselect={false}
            data={modes.map((value) => ({ value, label: t(`newsletters.privacy.${value}`) }))}
            {...settings.form.getInputProps(field)}
          />
        ))}
        {isStricter && (
          <Alert color="ocre" title={t('newsletters.privacy.warningTitle')}>
            {t('newsletters.privacy.warning')}
          </Alert>
        )}
      </SettingsForm>
    </>
  )
}
