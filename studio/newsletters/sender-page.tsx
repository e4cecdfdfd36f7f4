import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useNewsletter } from '../shell/newsletter.tsx'
import { POSTAL_FIELD } from './postal-field.ts'
import { SenderProofs, useSenders } from './sender-proofs.tsx'
import { SettingsForm, SettingsPage } from './settings-page.tsx'
import { useSettingsForm } from './use-settings-form.tsx'

/** The sender of the mails, the reply address, and the postal address in the footer. */
export function SenderPage() {
  const { t } = useTranslation()
  const { effectiveSender } = useNewsletter()
  const comesFrom = useSenders().data?.comesFrom ?? effectiveSender
  const addressHint =
    comesFrom === effectiveSender
      ? t('newsletters.sender.addressHint', { address: comesFrom })
      : t('newsletters.sender.addressUnproven', { address: effectiveSender, now: comesFrom })
  const settings = useSettingsForm(
    ['senderName', 'senderAddress', 'replyTo', 'postalAddress', 'takeBackSeconds', 'softBounceLimit'],
    ['senderAddress', 'replyTo'],
  )
  const { form } = settings
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === `#${POSTAL_FIELD}`) document.getElementById(POSTAL_FIELD)?.focus()
  }, [hash])
  return (
    <SettingsPage title={t('shell.settings.sender')} lead={t('newsletters.sender.lead')}>
      <SettingsForm form={settings}>
        <TextInput
          label={t('newsletters.sender.name')}
          required
          maxLength={120}
          {...form.getInputProps('senderName')}
        />
        <TextInput
          type="email"
          label={t('newsletters.sender.address')}
          description={addressHint}
          {...form.getInputProps('senderAddress')}
        />
        <TextInput
          type="email"
          label={t('newsletters.sender.replyTo')}
          description={t('newsletters.sender.replyToHint')}
          {...form.getInputProps('replyTo')}
        />
        <Textarea
          id={POSTAL_FIELD}
          label={t('newsletters.sender.postal')}
          description={t('newsletters.sender.postalHint')}
          autosize
          minRows={3}
          maxLength={300}
          {...form.getInputProps('postalAddress')}
        />
        <NumberInput
          label={t('newsletters.sender.takeBack')}
          description={t('newsletters.sender.takeBackHint')}
          required
          min={0}
          max={60}
          allowDecimal={false}
          {...form.getInputProps('takeBackSeconds')}
        />
        <NumberInput
          label={t('feedback.limit.label')}
          description={t('feedback.limit.hint')}
          required
          min={1}
          max={50}
          allowDecimal={false}
          {...form.getInputProps('softBounceLimit')}
        />
      </SettingsForm>
      <SenderProofs />
    </SettingsPage>
  )
}
