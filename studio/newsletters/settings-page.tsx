import { Alert, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { LeaveGuard } from '../ui/unsaved.tsx'
import classes from './newsletters.module.css'

interface Props {
  title: string
  lead: string
  children: ReactNode
}

/** A page of settings: a title, an introduction and the content. */
export function SettingsPage({ title, lead, children }: Props) {
  return (
    <>
      <PageTitle title={title} lead={lead} />
      {children}
      <LeaveGuard />
    </>
  )
}

interface FormProps {
  form: {
    submit: (event: React.FormEvent<HTMLFormElement>) => void
    error: unknown
    busy: boolean
    isUnsaved: boolean
    mayChange: boolean
  }
  children: ReactNode
}

/** The fields of a settings page and the save button. Who may not change them can read them. */
export function SettingsForm({ form: { submit, error, busy, isUnsaved, mayChange }, children }: FormProps) {
  const { t } = useTranslation()
  return (
    <form onSubmit={submit} noValidate className={classes.form} data-unsaved={isUnsaved || undefined}>
      {!mayChange && (
        <Alert color="ocre" mb="md">
          {t('newsletters.ownersOnlyFields')}
        </Alert>
      )}
      <fieldset disabled={!mayChange} className={classes.fields}>
        {children}
      </fieldset>
      <ErrorNotice error={error} />
      {mayChange && (
        <Group mt="lg">
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('ui.save')}
          </Button>
        </Group>
      )}
    </form>
  )
}
