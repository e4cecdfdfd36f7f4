import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { createNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { AuthFrame } from '../identity/auth-frame.tsx'
import classes from '../identity/identity.module.css'
import { currentLanguage } from '../language.ts'
import { useClient } from '../shell/client.tsx'
import { newslettersQuery, rememberNewsletter } from '../shell/newsletter.tsx'
import { returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'

/** Creates a newsletter. Only its name is asked: language, currency and timezone are those of the person, and can be changed later. */
export function WelcomePage() {
  const { t } = useTranslation()
  const { settings } = useClient()
  const { state } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: others } = useQuery(newslettersQuery)
  const { form, error, busy, submit } = useServerForm({ initialValues: { name: '' } }, async ({ name }) => {
    const { currencyformat: currency, timezone } = settings
    const body = { name, language: currentLanguage(), currency, timezone }
    const { id } = await call(createNewsletter, { body })
    rememberNewsletter(id)
    await queries.refetchQueries(newslettersQuery)
    await navigate(returnPath(state) ?? '/dashboard')
  })
  return (
    <AuthFrame
      title={t(others?.length ? 'newsletters.welcome.another' : 'newsletters.welcome.title')}
      lead={t('newsletters.welcome.lead')}
      foot={
        others?.length ? (
          <Anchor component={Link} to="/dashboard">
            {t('shell.backToDashboard')}
          </Anchor>
        ) : undefined
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput size="lg" label={t('newsletters.name')} required maxLength={120} {...form.getInputProps('name')} />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('newsletters.welcome.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
