import { Alert, Anchor, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { createNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { AuthFrame } from '../identity/auth-frame.tsx'
import classes from '../identity/identity.module.css'
import { useClient } from '../shell/client.tsx'
import {
  deletedNewslettersQuery,
  newslettersQuery,
  rememberNewsletter,
  removedFromQuery,
} from '../shell/newsletter.tsx'
import { returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { firstSettings } from './first-settings.ts'
import { useRestore } from './use-restore.ts'

/** Creates a newsletter. Only its name is asked. */
export function WelcomePage() {
  const { t } = useTranslation()
  const { settings } = useClient()
  const location = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: others } = useQuery(newslettersQuery)
  const { form, error, busy, submit } = useServerForm({ initialValues: { name: '' } }, async ({ name }) => {
    const { id } = await call(createNewsletter, { body: { name, ...firstSettings(settings) } })
    rememberNewsletter(id)
    await queries.refetchQueries(newslettersQuery)
    await navigate(returnPath(location) ?? studioPaths.dashboard)
  })
  return (
    <AuthFrame
      title={t(others?.length ? 'newsletters.welcome.another' : 'newsletters.welcome.title')}
      lead={t('newsletters.welcome.lead')}
      foot={
        others?.length ? (
          <Anchor component={Link} to={studioPaths.dashboard}>
            {t('shell.backToDashboard')}
          </Anchor>
        ) : (
          <Anchor component={Link} to={studioPaths.profile}>
            {t('newsletters.welcome.account')}
          </Anchor>
        )
      }
    >
      <Removed />
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput size="lg" label={t('newsletters.name')} required maxLength={120} {...form.getInputProps('name')} />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('newsletters.welcome.submit')}
        </Button>
      </form>
      <Deleted />
    </AuthFrame>
  )
}

/** Whoever was removed would think that the newsletter is lost. */
function Removed() {
  const { t } = useTranslation()
  const { data: removedFrom = [] } = useQuery(removedFromQuery)
  return removedFrom.map(({ id, name }) => (
    <Alert key={id} color="ocre" mb="md">
      {t('newsletters.welcome.removed', { name })}
    </Alert>
  ))
}

/** What was deleted and can be brought back. */
function Deleted() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: deleted = [] } = useQuery(deletedNewslettersQuery)
  const restore = useMutation({ mutationFn: useRestore() })
  if (deleted.length === 0) return null
  return (
    <Section title={t('newsletters.deleted.title')} className={classes.afterForm}>
      <ul className={classes.rows}>
        {deleted.map(({ id, name, role, keptUntil, owned }) => (
          <li key={id}>
            <span>
              <b>{name}</b>
              <small>
                {t(`newsletters.deleted.${role === 'owner' ? 'kept' : owned ? 'byOwner' : 'ownerless'}`, {
                  when: format.dayInWords(keptUntil),
                })}
              </small>
            </span>
            {role === 'owner' && (
              <Button
                flex="none"
                loading={restore.isPending && restore.variables === id}
                onClick={() => restore.mutate(id)}
              >
                {t('newsletters.deleted.restore')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ErrorNotice error={restore.error} />
    </Section>
  )
}
