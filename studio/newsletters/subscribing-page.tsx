import { Alert, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DigestSection } from '../digests/digest-section.tsx'
import { EmbedSection } from '../subscribers/embed-section.tsx'
import { ReceiptsSection } from '../subscribers/receipts-section.tsx'
import { WelcomeSection } from '../welcomes/welcome-section.tsx'
import { PrivacyFields } from './privacy-fields.tsx'
import { SettingsForm, SettingsPage } from './settings-page.tsx'
import { useSettingsForm } from './use-settings-form.tsx'

const policies = ['accept', 'confirm', 'refuse'] as const

/** How people subscribe: by confirming or at once, and with which addresses; and what is kept of what they read. */
export function SubscribingPage() {
  const { t } = useTranslation()
  const settings = useSettingsForm(['optIn', 'roleAddresses', 'disposableAddresses', 'clickPrivacy', 'openPrivacy'])
  const { form } = settings
  const { optIn } = form.getValues()
  return (
    <SettingsPage title={t('shell.settings.subscribing')} lead={t('newsletters.subscribing.lead')}>
      <SettingsForm form={settings}>
        <Select
          label={t('newsletters.subscribing.optIn')}
          description={t('newsletters.subscribing.optInHint')}
          allowDeselect={false}
          data={(['double', 'single'] as const).map((value) => ({
            value,
            label: t(`newsletters.subscribing.${value}`),
          }))}
          {...form.getInputProps('optIn')}
        />
        {optIn === 'single' && (
          <Alert color="ocre" title={t('newsletters.subscribing.warningTitle')}>
            {t('newsletters.subscribing.warning')}
          </Alert>
        )}
        {(['roleAddresses', 'disposableAddresses'] as const).map((field) => (
          <Select
            key={field}
            label={t(`newsletters.subscribing.${field}`)}
            description={t(`newsletters.subscribing.${field}Hint`)}
            allowDeselect={false}
            data={policies.map((value) => ({ value, label: t(`newsletters.subscribing.${value}`) }))}
            {...form.getInputProps(field)}
          />
        ))}
        <PrivacyFields form={form} />
      </SettingsForm>
      <WelcomeSection segmentId={null} />
      <DigestSection />
      <EmbedSection />
      <ReceiptsSection />
    </SettingsPage>
  )
}
