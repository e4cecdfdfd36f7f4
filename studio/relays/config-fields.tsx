import { NumberInput, PasswordInput, type PasswordInputProps, SegmentedControl, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { RelayKind, Security } from '../../server/relays/contract.ts'
import { type RelayValues, usualPort } from './relay-form.ts'
import classes from './relays.module.css'

interface Props {
  form: UseFormReturnType<RelayValues>
  /** Whether a secret is stored. Then an empty field keeps it. */
  hasSecret: boolean
}

/** The fields that the chosen kind of relay needs. */
export function ConfigFields({ form, hasSecret }: Props) {
  const { kind } = form.getValues()
  if (kind === 'smtp') return <SmtpFields form={form} hasSecret={hasSecret} />
  if (kind === 'ses') return <SesFields form={form} hasSecret={hasSecret} />
  if (kind === 'mailgun') return <MailgunFields form={form} hasSecret={hasSecret} />
  return <TokenFields form={form} hasSecret={hasSecret} />
}

/** The kind of a relay. It cannot change later, because the fields of one kind mean nothing to another. */
export function KindField({ form, fixed }: { form: UseFormReturnType<RelayValues>; fixed: boolean }) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('relays.ui.kindLabel')}
      description={t(`relays.ui.kindText.${form.getValues().kind}`)}
      disabled={fixed}
      allowDeselect={false}
      data={RelayKind.options.map((value) => ({ value, label: t(`relays.ui.kind.${value}`) }))}
      {...form.getInputProps('kind')}
    />
  )
}

function SmtpFields({ form, hasSecret }: Props) {
  const { t } = useTranslation()
  const choose = (value: string) => {
    const security = Security.parse(value)
    // A usual port changes with the security. A port that the user chose stays.
    const usual = Object.values(usualPort).some((port) => port === form.getValues().port)
    form.setValues({ security, ...(usual && { port: usualPort[security] }) })
  }
  return (
    <>
      <div className={classes.hostPort}>
        <TextInput
          label={t('relays.ui.host')}
          placeholder="smtp.example.org"
          required
          autoComplete="off"
          {...form.getInputProps('host')}
        />
        <NumberInput
          label={t('relays.ui.port')}
          min={1}
          max={65_535}
          clampBehavior="none"
          hideControls
          {...form.getInputProps('port')}
        />
      </div>
      <div>
        <span className={classes.label} id="relay-security">
          {t('relays.ui.security')}
        </span>
        <SegmentedControl
          aria-labelledby="relay-security"
          data={Security.options.map((value) => ({ value, label: t(`relays.ui.securities.${value}`) }))}
          value={form.getValues().security}
          onChange={choose}
        />
        <p className={classes.hint}>{t(`relays.ui.securityText.${form.getValues().security}`)}</p>
      </div>
      <TextInput
        label={t('relays.ui.username')}
        description={t('relays.ui.usernameHint')}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <SecretField form={form} label={t('relays.ui.password')} hasSecret={hasSecret} />
    </>
  )
}

function SesFields({ form, hasSecret }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('relays.ui.region')} placeholder="eu-west-1" required {...form.getInputProps('region')} />
      <TextInput
        label={t('relays.ui.accessKeyId')}
        required
        autoComplete="off"
        {...form.getInputProps('accessKeyId')}
      />
      <SecretField form={form} label={t('relays.ui.secretAccessKey')} hasSecret={hasSecret} />
      <TextInput
        label={t('relays.ui.configurationSet')}
        description={t('relays.ui.configurationSetHint')}
        {...form.getInputProps('configurationSet')}
      />
    </>
  )
}

function MailgunFields({ form, hasSecret }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('relays.ui.domain')}
        placeholder="mg.example.org"
        required
        {...form.getInputProps('domain')}
      />
      <div>
        <span className={classes.label} id="relay-region">
          {t('relays.ui.region')}
        </span>
        <SegmentedControl
          aria-labelledby="relay-region"
          data={(['eu', 'us'] as const).map((value) => ({ value, label: t(`relays.ui.regions.${value}`) }))}
          {...form.getInputProps('mailgunRegion')}
        />
      </div>
      <SecretField form={form} label={t('relays.ui.apiKey')} hasSecret={hasSecret} />
    </>
  )
}

function TokenFields({ form, hasSecret }: Props) {
  const { t } = useTranslation()
  const postmark = form.getValues().kind === 'postmark'
  return (
    <>
      <SecretField
        form={form}
        label={t(postmark ? 'relays.ui.serverToken' : 'relays.ui.apiKey')}
        hasSecret={hasSecret}
      />
      {postmark && (
        <TextInput
          label={t('relays.ui.messageStream')}
          description={t('relays.ui.messageStreamHint')}
          {...form.getInputProps('messageStream')}
        />
      )}
    </>
  )
}

const SecretField = ({ form, label, hasSecret }: Props & { label: string }) => (
  <SecretInput label={label} kept={hasSecret} {...form.getInputProps('secret')} />
)

/** A secret is written and never read back. When one is stored, an empty field keeps it. */
export function SecretInput({ kept, ...props }: PasswordInputProps & { kept: boolean }) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      description={t(kept ? 'relays.ui.secretKept' : 'relays.ui.secretHint')}
      placeholder={kept ? t('relays.ui.unchanged') : ''}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('relays.ui.showSecret'), tabIndex: 0 }}
      {...props}
    />
  )
}
