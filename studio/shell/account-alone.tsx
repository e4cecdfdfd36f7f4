import { Anchor, Group } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { Loading } from '../ui/loading.tsx'
import { Wordmark } from '../ui/logo.tsx'
import classes from './shell.module.css'

/** The page of the account for whoever has no newsletter, with the way to one. */
export function AccountAlone() {
  const { t } = useTranslation()
  return (
    <main className={classes.main}>
      <Group justify="space-between" mb="xl">
        <Wordmark large />
        <Anchor component={Link} to={studioPaths.welcome} size="sm">
          {t('shell.startNewsletter')}
        </Anchor>
      </Group>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </main>
  )
}
