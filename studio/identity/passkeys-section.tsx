import { Button, Group, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceOf } from '../../server/http/device.ts'
import { removePasskey, renamePasskey } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './identity.module.css'
import { useProof } from './proof.tsx'
import { securityQuery } from './two-factor-section.tsx'
import { usePasskeys } from './use-passkeys.ts'

interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** The user's passkeys: added, named and removed. */
export function PasskeysSection() {
  const { t } = useTranslation()
  const security = useQuery(securityQuery)
  const passkeys = usePasskeys()
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const { origin, here, isKnown, isElseBrowser } = passkeys
  return (
    <Section title={t('identity.passkeys.title')}>
      <p className={classes.hint}>{t('identity.passkeys.lead')}</p>
      <QueryContent query={security}>
        {({ passkeys: list }) => (
          <ul className={classes.rows}>
            {list.map((passkey) => (
              <Row key={passkey.id} passkey={passkey} onRename={setNaming} onRemove={setRemoving} />
            ))}
          </ul>
        )}
      </QueryContent>
      {here ? (
        <Button mt="sm" onClick={() => setNaming('new')}>
          {t('identity.passkeys.add')}…
        </Button>
      ) : (
        isKnown && (
          <p className={classes.hint}>
            {isElseBrowser && t('identity.passkeys.otherBrowser')}
            {origin === null && t('identity.passkeys.nowhere')}
            {origin !== null && origin !== location.origin && t('identity.passkeys.elsewhere', { address: origin })}
          </p>
        )
      )}
      {naming && <NameDialog passkey={naming === 'new' ? null : naming} onClose={() => setNaming(null)} />}
      {removing && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

function Row(props: { passkey: Passkey; onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { passkey, onRename, onRemove } = props
  return (
    <li>
      <span>
        {passkey.name}
        <small>
          {passkey.lastUsedAt
            ? t('identity.passkeys.used', { when: format.agoInWords(passkey.lastUsedAt) })
            : t('identity.passkeys.unused', { date: format.dayOfYear(passkey.createdAt) })}
        </small>
      </span>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" onClick={() => onRename(passkey)}>
          {t('identity.passkeys.rename')}
        </Button>
        <Button size="xs" variant="subtle" color="rouge" onClick={() => onRemove(passkey)}>
          {t('identity.passkeys.remove')}
        </Button>
      </Group>
    </li>
  )
}

interface About<P> {
  passkey: P
  onClose: () => void
}

/** Names a new passkey and then adds it, or names one again. */
function NameDialog({ passkey, onClose }: About<Passkey | null>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const withProof = useProof()
  const { add } = usePasskeys()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { name: passkey?.name ?? deviceOf(navigator.userAgent) ?? '' } },
    async ({ name }) => {
      if (passkey) await call(renamePasskey, { params: { passkeyId: passkey.id }, body: { name } })
      else await withProof(() => add(name))
      await queries.invalidateQueries(securityQuery)
      onClose()
    },
  )
  return (
    <Dialog opened onClose={onClose} title={t(passkey ? 'identity.passkeys.rename' : 'identity.passkeys.add')}>
      <form onSubmit={submit} noValidate className={classes.proof}>
        <TextInput
          label={t('identity.passkeys.name')}
          description={t('identity.passkeys.nameHint')}
          required
          descriptionProps={{ mb: 4 }}
          maxLength={60}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('identity.proof.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t(passkey ? 'identity.passkeys.saveName' : 'identity.passkeys.add')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ passkey, onClose }: About<Passkey>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const withProof = useProof()
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      title={t('identity.passkeys.removeTitle', { name: passkey.name })}
      confirm={t('identity.passkeys.remove')}
      onConfirm={async () => {
        await withProof(() => call(removePasskey, { params: { passkeyId: passkey.id } }))
        await queries.invalidateQueries(securityQuery)
      }}
    >
      {t('identity.passkeys.removeText')}
    </ConfirmDelete>
  )
}
