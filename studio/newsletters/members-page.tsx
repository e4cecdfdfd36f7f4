import { Button, Select, Table, TextInput, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeRole,
  inviteMember,
  listMembers,
  removeMember,
  withdrawInvitation,
} from '../../server/newsletters/contract.ts'
import { type Role, roleNames } from '../../server/permissions.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useUser } from '../shell/client.tsx'
import { newslettersQuery, useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import classes from './newsletters.module.css'
import { SettingsPage } from './settings-page.tsx'
import { WhoMayChange } from './who-may-change.tsx'

type People = Awaited<ReturnType<typeof fetchPeople>>
type Member = People['members'][number]

const fetchPeople = (newsletterId: string) => call(listMembers, { params: { newsletterId } })

/** The members of the newsletter with their roles, and the open invitations. */
export function MembersPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const people = useQuery({ queryKey: [id, 'members'], queryFn: () => fetchPeople(id) })
  return (
    <SettingsPage title={t('shell.settings.members')} lead={t('newsletters.members.lead')}>
      <WhoMayChange need="members.manage" />
      {may('members.manage') && <InviteForm invitations={people.data?.invitations ?? []} />}
      <QueryContent query={people}>
        {({ members, invitations }) => (
          <>
            <Section title={t('newsletters.members.title')}>
              <MemberTable members={members} />
            </Section>
            {invitations.length > 0 && (
              <Section title={t('newsletters.members.invited')}>
                <InvitationTable invitations={invitations} />
              </Section>
            )}
          </>
        )}
      </QueryContent>
    </SettingsPage>
  )
}

function useRoles() {
  const { t } = useTranslation()
  return roleNames.map((value) => ({ value, label: t(`ui.role.${value}`) }))
}

function useRefresh() {
  const queries = useQueryClient()
  const { id } = useNewsletter()
  return () => queries.invalidateQueries({ queryKey: [id, 'members'] })
}

function InviteForm({ invitations }: Pick<People, 'invitations'>) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const roles = useRoles()
  const refresh = useRefresh()
  const [caught, setCaught] = useState<{ email: string; link: string }[]>([])
  const addressed = (email: string) => (one: { email: string }) => one.email.toLowerCase() === email.toLowerCase()
  // Once one was withdrawn or accepted, its address opens nothing.
  const open = caught.filter(({ email }) => invitations.some(addressed(email)))
  const { form, error, busy, submit } = useServerForm<{ email: string; role: Role }>(
    { initialValues: { email: '', role: 'editor' } },
    async (body) => {
      const { link } = await call(inviteMember, { params: { newsletterId: id }, body })
      const email = body.email.trim()
      // Who is invited once more has a new address, and the one before opens nothing.
      if (link) setCaught((before) => [{ email, link }, ...before.filter((one) => !addressed(email)(one))])
      else notifications.show({ message: t('newsletters.members.sent', { email }) })
      form.reset()
      await refresh()
    },
  )
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.inline}>
        <TextInput type="email" label={t('newsletters.members.email')} required {...form.getInputProps('email')} />
        <Select
          label={t('newsletters.members.role')}
          allowDeselect={false}
          data={roles}
          {...form.getInputProps('role')}
        />
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('newsletters.members.invite')}
        </Button>
      </div>
      <ErrorNotice error={error} />
      <div role="status">
        {open.map(({ email, link }) => (
          <div key={email} className={classes.invited}>
            <p>{t('newsletters.members.caught', { email })}</p>
            <CopyField value={link} />
          </div>
        ))}
      </div>
    </form>
  )
}

function MemberTable({ members }: { members: Member[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { uid } = useUser()
  const { id, name, may } = useNewsletter()
  const roles = useRoles()
  const refresh = useRefresh()
  const queries = useQueryClient()
  const [leaving, setLeaving] = useState<Member | null>(null)
  const change = useMutation({
    mutationFn: ({ userId, role }: Pick<Member, 'userId' | 'role'>) =>
      call(changeRole, { params: { newsletterId: id, userId }, body: { role } }),
    onSettled: refresh,
  })
  const remove = async ({ userId }: Member) => {
    await call(removeMember, { params: { newsletterId: id, userId } })
    if (userId === uid) await queries.invalidateQueries(newslettersQuery)
    else await refresh()
  }
  const isOwn = leaving?.userId === uid
  const owners = members.filter(({ role }) => role === 'owner')
  const isOnlyOwner = isOwn && owners.length === 1 && owners[0]?.userId === uid
  return (
    <div className={`${classes.table} ${classes.people}`}>
      <ErrorNotice error={change.error} />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('newsletters.members.person')}</Table.Th>
            <Table.Th>{t('newsletters.members.role')}</Table.Th>
            <Table.Th>{t('newsletters.members.since')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('ui.actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Table.Tr key={member.userId}>
              <Table.Td className={classes.person} h={52}>
                {member.name || member.email}
                {member.name && member.email && <small>{member.email}</small>}
              </Table.Td>
              <Table.Td>
                {may('members.manage') ? (
                  <Select
                    size="xs"
                    w={190}
                    aria-label={t('newsletters.members.roleOf', { name: member.name || member.email })}
                    allowDeselect={false}
                    data={roles}
                    value={member.role}
                    onChange={(next) => next && change.mutate({ userId: member.userId, role: next })}
                  />
                ) : (
                  t(`ui.role.${member.role}`)
                )}
              </Table.Td>
              <Table.Td data-column={t('newsletters.members.since')}>{format.dayOfYear(member.since)}</Table.Td>
              <Table.Td ta="right">
                {(may('members.manage') || member.userId === uid) && (
                  <Button size="xs" variant="subtle" color="rouge" onClick={() => setLeaving(member)}>
                    {t(member.userId === uid ? 'newsletters.members.leave' : 'newsletters.members.remove')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmDelete
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title={
          isOwn
            ? t('newsletters.members.leaveAsk', { newsletter: name })
            : t('newsletters.members.removeAsk', { name: leaving?.name || leaving?.email })
        }
        confirm={t(isOwn ? 'newsletters.members.leave' : 'newsletters.members.remove')}
        {...(isOwn && { keep: t('newsletters.members.stay') })}
        isPossible={!isOnlyOwner}
        onConfirm={async () => leaving && remove(leaving)}
      >
        {isOnlyOwner
          ? t('newsletters.members.onlyOwner')
          : t(isOwn ? 'newsletters.members.leaveText' : 'newsletters.members.removeText')}
      </ConfirmDelete>
    </div>
  )
}

function InvitationTable({ invitations }: { invitations: People['invitations'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const refresh = useRefresh()
  const withdraw = useMutation({
    mutationFn: (invitationId: string) => call(withdrawInvitation, { params: { newsletterId: id, invitationId } }),
    onSuccess: refresh,
  })
  return (
    <div className={`${classes.table} ${classes.people}`}>
      <ErrorNotice error={withdraw.error} />
      <Table>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td>{invitation.email}</Table.Td>
              <Table.Td>{t(`ui.role.${invitation.role}`)}</Table.Td>
              <Table.Td>
                <StatusMark shape="draft">
                  {t('newsletters.members.until', { date: format.dayOfYear(invitation.expiresAt) })}
                </StatusMark>
              </Table.Td>
              <Table.Td ta="right">
                {may('members.manage') && (
                  <Button size="xs" variant="subtle" color="rouge" onClick={() => withdraw.mutate(invitation.id)}>
                    {t('newsletters.members.withdraw')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
