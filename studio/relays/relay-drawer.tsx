import { Button, Group, NumberInput, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeRelay, createRelay } from '../../server/relays/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { ConfigFields, KindField, SecretInput } from './config-fields.tsx'
import { relaysChanged } from './queries.ts'
import { bodyOf, type Relay, valuesOf } from './relay-form.ts'
import classes from './relays.module.css'
import { WarmUpPlan } from './warm-up-plan.tsx'

interface Props {
  edited: Relay | 'new' | null
  plan: number[]
  onClose: () => void
}

/** Adds a relay, or changes one. */
export function RelayDrawer({ edited, plan, onClose }: Props) {
  const { t } = useTranslation()
  const relay = edited === 'new' ? null : edited
  return (
    <Drawer
      opened={edited !== null}
      onClose={onClose}
      title={relay ? t('relays.ui.editTitle', { name: relay.name }) : t('relays.ui.addTitle')}
    >
      {edited && <RelayForm key={relay?.id ?? 'new'} relay={relay} plan={plan} onClose={onClose} />}
    </Drawer>
  )
}

function RelayForm({ relay, plan, onClose }: { relay: Relay | null; plan: number[]; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm({ initialValues: valuesOf(relay) }, async (values) => {
    const body = bodyOf(values)
    const saving = relay
      ? call(changeRelay, { params: { newsletterId, relayId: relay.id }, body })
      : call(createRelay, { params: { newsletterId }, body })
    const saved = await saving
    notifications.show({ message: t(relay ? 'ui.saved' : 'relays.ui.added', { name: saved.name }) })
    await relaysChanged(queries, newsletterId)
    onClose()
  })
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label={t('relays.ui.name')}
        placeholder={t('relays.ui.nameExample')}
        required
        maxLength={80}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <KindField form={form} fixed={relay !== null} />
      <ConfigFields form={form} hasSecret={relay?.hasSecret ?? false} />
      <Limits form={form} plan={plan} />
      <Webhook form={form} relay={relay} />
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t(relay ? 'ui.save' : 'relays.ui.add')}
        </Button>
      </Group>
    </form>
  )
}

type Form = ReturnType<typeof useServerForm<ReturnType<typeof valuesOf>>>['form']

function Limits({ form, plan }: { form: Form; plan: number[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('relays.ui.carries')} className={classes.part}>
      <div className={classes.fields}>
        <div className={classes.two}>
          <NumberInput
            label={t('relays.ui.perSecond')}
            placeholder={t('relays.ui.noLimit')}
            min={0.01}
            max={10_000}
            {...format.typed}
            hideControls
            {...form.getInputProps('perSecond')}
          />
          <NumberInput
            label={t('relays.ui.perHour')}
            placeholder={t('relays.ui.noLimit')}
            min={1}
            max={100_000_000}
            {...format.typed}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('perHour')}
          />
          <NumberInput
            label={t('relays.ui.weight')}
            description={t('relays.ui.weightHint')}
            min={0}
            max={1_000}
            allowDecimal={false}
            {...form.getInputProps('weight')}
          />
          <NumberInput
            label={t('relays.ui.connections')}
            description={t('relays.ui.connectionsHint')}
            min={1}
            max={100}
            allowDecimal={false}
            {...form.getInputProps('connections')}
          />
        </div>
        <Switch
          label={t('relays.ui.warmUp.label')}
          description={t('relays.ui.warmUp.hint')}
          {...form.getInputProps('warmUp', { type: 'checkbox' })}
        />
        {form.getValues().warmUp && <WarmUpPlan plan={plan} />}
      </div>
    </Section>
  )
}

/** The address to which the provider reports bounces and complaints, and the secret that proves its identity. */
function Webhook({ form, relay }: { form: Form; relay: Relay | null }) {
  const { t } = useTranslation()
  const { kind } = form.getValues()
  if (kind === 'smtp') return null
  return (
    <Section title={t('relays.ui.webhook.title')} className={classes.part}>
      <div className={classes.fields}>
        <p className={classes.hint}>{t(`relays.ui.webhook.text.${kind}`)}</p>
        {relay?.webhookUrl ? (
          <CopyField value={relay.webhookUrl} mono />
        ) : (
          <p className={classes.hint}>{t('relays.ui.webhook.later')}</p>
        )}
        <SecretInput
          label={t(`relays.ui.webhook.secret.${kind}`)}
          kept={relay?.hasWebhookSecret ?? false}
          {...form.getInputProps('webhookSecret')}
        />
      </div>
    </Section>
  )
}
