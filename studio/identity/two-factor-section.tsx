import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  confirmTwoFactor,
  getSecurity,
  prepareTwoFactor,
  renewRecoveryCodes,
  turnOffTwoFactor,
} from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { CodeField } from './fields.tsx'
import classes from './identity.module.css'
import { useProof } from './proof.tsx'

export const securityQuery = { queryKey: ['security'], queryFn: () => call(getSecurity, {}) }

/** Two-factor: the authenticator app and the recovery codes. */
export function TwoFactorSection() {
  const { t } = useTranslation()
  const security = useQuery(securityQuery)
  const queries = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  const show = async (recoveryCodes: string[]) => {
    setCodes(recoveryCodes)
    await queries.invalidateQueries(securityQuery)
  }
  return (
    <Section title={t('identity.twoFactor.title')}>
      <QueryContent query={security}>
        {({ twoFactor }) => (twoFactor ? <On {...twoFactor} onCodes={show} /> : <Off onCodes={show} />)}
      </QueryContent>
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  )
}

interface WithCodes {
  onCodes: (codes: string[]) => Promise<void>
}

function Off({ onCodes }: WithCodes) {
  const { t } = useTranslation()
  const withProof = useProof()
  const [prepared, setPrepared] = useState<{ secret: string; qr: string } | null>(null)
  const prepare = useMutation({
    mutationFn: () => withProof(() => call(prepareTwoFactor, {})),
    onSuccess: setPrepared,
  })
  return (
    <>
      <p className={classes.hint}>{t('identity.twoFactor.lead')}</p>
      <Button loading={prepare.isPending} onClick={() => prepare.mutate()}>
        {t('identity.twoFactor.turnOn')}…
      </Button>
      <ErrorNotice error={prepare.error} />
      {prepared && <SetUpDialog {...prepared} onClose={() => setPrepared(null)} onCodes={onCodes} />}
    </>
  )
}

interface SetUp extends WithCodes {
  secret: string
  /** An SVG image. */
  qr: string
  onClose: () => void
}

function SetUpDialog({ secret, qr, onClose, onCodes }: SetUp) {
  const { t } = useTranslation()
  const withProof = useProof()
  const { form, error, busy, submit } = useServerForm({ initialValues: { code: '' } }, async ({ code }) => {
    const { recoveryCodes } = await withProof(() => call(confirmTwoFactor, { body: { code } }))
    onClose()
    await onCodes(recoveryCodes)
  })
  const grouped = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return (
    <Dialog opened onClose={onClose} title={t('identity.twoFactor.setUp')}>
      <form onSubmit={submit} noValidate className={classes.proof}>
        <Text size="sm" c="var(--tirage-ink2)">
          {t('identity.twoFactor.scan')}
        </Text>
        <img
          className={classes.qr}
          src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
          alt={t('identity.twoFactor.qr')}
          width={200}
          height={200}
        />
        <Text size="sm" c="var(--tirage-ink2)">
          {t('identity.twoFactor.byHand')}
        </Text>
        <CopyField value={secret} shown={grouped} mono />
        <CodeField size="sm" label={t('identity.twoFactor.confirm')} {...form.getInputProps('code')} />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('identity.proof.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('identity.twoFactor.activate')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** The codes are shown once. Only the button closes it, so that a stray click or key does not lose them. */
function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('identity.twoFactor.codesTitle')}
    >
      <Alert color="ocre">{t('identity.twoFactor.codesText')}</Alert>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyField value={codes.join('\n')} shown={t('identity.twoFactor.copyAll')} />
      <Group mt="lg" justify="flex-end">
        <Button variant="filled" color="encre" onClick={onClose}>
          {t('identity.twoFactor.kept')}
        </Button>
      </Group>
    </Dialog>
  )
}

function On({ since, recoveryCodes, onCodes }: { since: string; recoveryCodes: number } & WithCodes) {
  const { t } = useTranslation()
  const format = useFormat()
  const withProof = useProof()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const renew = useMutation({
    mutationFn: () => withProof(() => call(renewRecoveryCodes, {})),
    onSuccess: (made) => onCodes(made.recoveryCodes),
  })
  return (
    <>
      <ul className={classes.rows}>
        <li>
          <span>
            {t('identity.twoFactor.app')}
            <small>{t('identity.profile.since', { date: format.dayOfYear(since) })}</small>
          </span>
          <StatusMark shape="sent">{t('identity.twoFactor.on')}</StatusMark>
        </li>
        <li>
          <span>
            {t('identity.twoFactor.codes')}
            <small>{t('identity.twoFactor.left', { number: recoveryCodes })}</small>
          </span>
          <Button size="xs" loading={renew.isPending} onClick={() => renew.mutate()}>
            {t('identity.twoFactor.renew')}
          </Button>
        </li>
      </ul>
      <ErrorNotice error={renew.error} />
      <Button mt="sm" variant="subtle" color="rouge" onClick={() => setAsking(true)}>
        {t('identity.twoFactor.turnOff')}…
      </Button>
      <ConfirmDelete
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('identity.twoFactor.turnOff')}
        confirm={t('identity.twoFactor.turnOff')}
        onConfirm={async () => {
          await withProof(() => call(turnOffTwoFactor, {}))
          notifications.show({ message: t('identity.twoFactor.isOff') })
          await queries.invalidateQueries(securityQuery)
        }}
      >
        {t('identity.twoFactor.turnOffText')}
      </ConfirmDelete>
    </>
  )
}
