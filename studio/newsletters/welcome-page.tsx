import { Anchor, Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { createNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { AuthFrame } from '../identity/auth-frame.tsx'
import classes from '../identity/identity.module.css'
import { useLanguageChoices } from '../language.ts'
import { useClient } from '../shell/client.tsx'
import { newslettersQuery, rememberNewsletter } from '../shell/newsletter.tsx'
import { returnPath } from '../shell/return-path.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { timezones } from '../ui/timezones.ts'

/** Creates a newsletter: its name, language, currency and timezone. All of it can be changed later. */
export function WelcomePage() {
  const { t } = useTranslation()
  const languageChoices = useLanguageChoices()
  const { settings } = useClient()
  const { state } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: others } = useQuery(newslettersQuery)
  const zones = useMemo(() => timezones(settings.timezone), [settings.timezone])
  const { language, currencyformat: currency, timezone } = settings
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { name: '', description: '', language, currency, timezone } },
    async (body) => {
      const { id } = await call(createNewsletter, { body })
      rememberNewsletter(id)
      await queries.refetchQueries(newslettersQuery)
      await navigate(returnPath(state) ?? '/dashboard')
    },
  )
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
        <TextInput
          size="lg"
          label={t('newsletters.name')}
          required
          withAsterisk={false}
          maxLength={120}
          {...form.getInputProps('name')}
        />
        <TextInput
          size="lg"
          label={t('newsletters.welcome.description')}
          description={t('newsletters.general.descriptionHint')}
          maxLength={500}
          {...form.getInputProps('description')}
        />
        <div className={classes.between}>
          <SegmentedControl
            aria-label={t('newsletters.language')}
            data={languageChoices}
            {...form.getInputProps('language')}
          />
          <SegmentedControl
            aria-label={t('newsletters.currency')}
            data={[
              { value: 'eur', label: '€' },
              { value: 'usd', label: '$' },
            ]}
            {...form.getInputProps('currency')}
          />
        </div>
        <Select
          size="lg"
          label={t('newsletters.timezone')}
          searchable
          allowDeselect={false}
          data={zones}
          {...form.getInputProps('timezone')}
        />
        <ErrorNotice error={error} />
        <Button type="submit" variant="filled" color="encre" size="lg" fullWidth loading={busy}>
          {t('newsletters.welcome.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
