import { Alert, Anchor, Button, Select, Table, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { createApiKey, listApiKeys, revokeApiKey } from '../../server/newsletters/contract.ts'
import { covers, type Role, roleNames } from '../../server/permissions.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useProof } from '../identity/proof.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './newsletters.module.css'
import { SettingsPage } from './settings-page.tsx'

type Made = z.output<typeof createApiKey.reply>
type Key = Awaited<ReturnType<typeof fetchKeys>>['keys'][number]

const fetchKeys = (newsletterId: string) => call(listApiKeys, { params: { newsletterId } })

/** The API keys of this newsletter. */
export function KeysPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const keys = useQuery({ queryKey: [id, 'api-keys'], queryFn: () => fetchKeys(id), enabled: may('keys.manage') })
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SettingsPage title={t('shell.settings.keys')} lead={t('newsletters.keys.lead')}>
      <p className={classes.hint}>
        <Anchor href="/api/docs" target="_blank" rel="noopener">
          {t('shell.apiReference')}
        </Anchor>
      </p>
      {may('keys.manage') ? (
        <>
          <p className={classes.hint}>{t('newsletters.members.lead')}</p>
          <CreateForm made={made} setMade={setMade} />
          <QueryContent query={keys}>
            {({ keys }) => <KeyTable keys={keys} onRevoked={(keyId) => keyId === made?.id && setMade(null)} />}
          </QueryContent>
        </>
      ) : (
        <Alert color="ocre">{t('newsletters.ownersOnly')}</Alert>
      )}
    </SettingsPage>
  )
}

const days = { month: 30, year: 365, always: null } as const
type Lasting = keyof typeof days
const lastings: Lasting[] = ['month', 'year', 'always']

function expiryOf(lasting: Lasting): string | null {
  const length = days[lasting]
  return length === null ? null : new Date(Date.now() + length * 24 * 3600 * 1000).toISOString()
}

function CreateForm({ made, setMade }: { made: Made | null; setMade: (made: Made) => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const withProof = useProof()
  const roles = roleNames.map((value) => ({ value, label: t(`ui.role.${value}`) }))
  const lasting = lastings.map((value) => ({ value, label: t(`newsletters.keys.lasting.${value}`) }))
  const { form, error, busy, submit } = useServerForm<{ name: string; role: Role; lasting: Lasting }>(
    { initialValues: { name: '', role: 'editor', lasting: 'year' } },
    async ({ lasting, ...body }) => {
      const expiresAt = expiryOf(lasting)
      const key = await withProof(() =>
        call(createApiKey, { params: { newsletterId: id }, body: { ...body, expiresAt } }),
      )
      setMade(key)
      form.reset()
      await queries.invalidateQueries({ queryKey: [id, 'api-keys'] })
    },
  )
  return (
    <>
      <form onSubmit={submit} noValidate>
        <div className={classes.inline}>
          <TextInput
            label={t('newsletters.keys.name')}
            placeholder={t('newsletters.keys.nameExample')}
            required
            maxLength={80}
            {...form.getInputProps('name')}
          />
          <Select
            label={t('newsletters.members.role')}
            allowDeselect={false}
            data={roles}
            {...form.getInputProps('role')}
          />
          <Select
            label={t('newsletters.keys.ends')}
            allowDeselect={false}
            data={lasting}
            {...form.getInputProps('lasting')}
          />
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('newsletters.keys.make')}
          </Button>
        </div>
        <ErrorNotice error={error} />
      </form>
      {made && (
        <Alert color="vert" mb="lg" title={t('newsletters.keys.once')} role="status">
          <CopyField value={made.secret} mono />
        </Alert>
      )}
    </>
  )
}

/** Whether its maker may do less by now than the key was made for. */
const isAboveMaker = ({ role, maker }: Key): boolean => !covers(maker.role, role)

function KeyTable({ keys, onRevoked }: { keys: Key[]; onRevoked: (keyId: string) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [revoking, setRevoking] = useState<Key | null>(null)
  if (keys.length === 0)
    return <EmptyState title={t('newsletters.keys.none')}>{t('newsletters.keys.noneText')}</EmptyState>
  return (
    <Section title={t('newsletters.keys.title')}>
      <div className={classes.table}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('newsletters.keys.name')}</Table.Th>
              <Table.Th>{t('newsletters.members.role')}</Table.Th>
              <Table.Th>{t('newsletters.keys.maker')}</Table.Th>
              <Table.Th>{t('newsletters.keys.used')}</Table.Th>
              <Table.Th>{t('newsletters.keys.ends')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('ui.actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <Table.Tr key={key.id}>
                <Table.Td>
                  {key.name}
                  <Text ff="monospace" fz="xs">
                    {key.prefix}…
                  </Text>
                </Table.Td>
                <Table.Td>
                  {t(`ui.role.${key.role}`)}
                  {isAboveMaker(key) && (
                    <Text fz="xs">{t('newsletters.keys.lowered', { role: t(`ui.role.${key.maker.role}`) })}</Text>
                  )}
                </Table.Td>
                <Table.Td data-column={t('newsletters.keys.maker')}>
                  {key.maker.name}
                  <Text fz="xs">{format.dayOfYear(key.createdAt)}</Text>
                </Table.Td>
                <Table.Td data-column={t('newsletters.keys.used')}>
                  {format.ago(key.lastUsedAt)}
                  {key.lastNetwork && (
                    <Text ff="monospace" fz="xs">
                      {key.lastNetwork}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-column={t('newsletters.keys.ends')}>
                  {key.expiresAt ? format.dayOfYear(key.expiresAt) : t('newsletters.keys.never')}
                </Table.Td>
                <Table.Td ta="right">
                  <Button size="xs" variant="subtle" color="rouge" onClick={() => setRevoking(key)}>
                    {t('newsletters.keys.revoke')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ConfirmDelete
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t('newsletters.keys.revokeAsk', { name: revoking?.name })}
        confirm={t('newsletters.keys.revoke')}
        onConfirm={async () => {
          if (!revoking) return
          await call(revokeApiKey, { params: { newsletterId: id, keyId: revoking.id } })
          onRevoked(revoking.id)
          await queries.invalidateQueries({ queryKey: [id, 'api-keys'] })
        }}
      >
        {t('newsletters.keys.revokeText')}
      </ConfirmDelete>
    </Section>
  )
}
