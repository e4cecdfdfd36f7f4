import { Button, Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { meQuery, useUser } from '../shell/client.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { callAuth } from './auth.ts'
import classes from './identity.module.css'
import { SendConfirmation } from './unconfirmed.tsx'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Name and address of the user. A guest can sign up here. */
export function AccountSection() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <Section title={t('identity.profile.you')}>
      {user.anonymous ? (
        <div className={classes.note}>
          <p>{t('identity.profile.guest')}</p>
          <Button component={Link} to="/signup" variant="filled" color="encre" mt="sm">
            {t('identity.profile.keepAccount')}
          </Button>
        </div>
      ) : (
        <>
          <NameForm />
          <EmailRow />
        </>
      )}
    </Section>
  )
}

function NameForm() {
  const { t } = useTranslation()
  const user = useUser()
  const queries = useQueryClient()
  const authErrorText = useAuthErrorText()
  const { form, error, busy, isUnsaved, submit } = useServerForm(
    { initialValues: { name: user.displayName } },
    async ({ name }) => {
      await callAuth('/update-user', { name }, authErrorText)
      await queries.invalidateQueries(meQuery)
      notifications.show({ message: t('ui.saved') })
    },
  )
  return (
    <form onSubmit={submit} noValidate data-unsaved={isUnsaved || undefined}>
      <Group gap="sm" align="flex-end">
        <TextInput label={t('identity.name')} autoComplete="name" required flex={1} {...form.getInputProps('name')} />
        <Button type="submit" loading={busy}>
          {t('identity.profile.saveName')}
        </Button>
      </Group>
      <ErrorNotice error={error} />
    </form>
  )
}

function EmailRow() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <ul className={classes.rows} style={{ marginTop: 12 }}>
      <li className={classes.addressRow}>
        <span>
          {user.email}
          <small>{t('identity.email')}</small>
        </span>
        {user.emailVerified ? (
          <StatusMark shape="sent">{t('identity.profile.confirmed')}</StatusMark>
        ) : (
          <span>
            <StatusMark shape="draft">{t('identity.profile.unconfirmed')}</StatusMark>
            <small>
              <SendConfirmation />
            </small>
          </span>
        )}
      </li>
    </ul>
  )
}
