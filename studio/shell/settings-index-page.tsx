import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { IconChevronRight } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { navigationFor } from './navigation.ts'
import { useNewsletter } from './newsletter.tsx'
import classes from './settings-index-page.module.css'

/** The pages of the settings. Where the sidebar lists them already, the first of them is shown instead. */
export function SettingsIndexPage() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const hasSidebar = useMediaQuery('(min-width: 62.01em)', false, { getInitialValueInEffect: false })
  if (hasSidebar) return <Navigate to={studioPaths.generalSettings} replace />
  const { within = [] } = navigationFor(may).find(({ path }) => path === studioPaths.settings) ?? {}
  return (
    <>
      <PageTitle title={t('shell.nav.settings')} />
      <ul className={classes.pages}>
        {within.map(({ path, title, about }) => (
          <li key={path}>
            <Link to={path}>
              <span>
                <b>{t(title)}</b>
                {about && <small>{t(about)}</small>}
              </span>
              <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
