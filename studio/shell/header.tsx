import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useMatches } from 'react-router'
import { useFormat } from '../format.ts'
import { Live } from '../live.tsx'
import { IconChevronLeft, IconMenu2, IconSearch } from '../ui/icons.ts'
import { ShortcutKey } from '../ui/shortcut-key.tsx'
import { type Handle, hasBreadcrumb } from './breadcrumb.ts'
import { useClient } from './client.tsx'
import { useNewsletter } from './newsletter.tsx'
import classes from './shell.module.css'

interface Props {
  openMenu(): void
  search(): void
  /** That of the one thing which the page shows, such as a subscriber. */
  pageName: string | null
}

/** The top line of every page: breadcrumbs, the date or whether it is live, and the button of the command palette. */
export function Header({ openMenu, search, pageName }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { dashboard } = useClient()
  const handles = useHandles()
  return (
    <header className={classes.header}>
      <ActionIcon
        className={classes.menuButton}
        variant="subtle"
        color="gray"
        onClick={openMenu}
        aria-label={t('shell.menu')}
      >
        <IconMenu2 size={18} stroke={1.6} />
      </ActionIcon>
      <Breadcrumbs pageName={pageName} />
      <span className={classes.grow} />
      {dashboard ? (
        <span className={classes.date}>{format.fullDay(new Date())}</span>
      ) : (
        handles.at(-1)?.isLive && (
          <span className={classes.date}>
            <Live />
          </span>
        )
      )}
      <UnstyledButton className={classes.search} onClick={search}>
        <IconSearch size={15} stroke={1.6} aria-hidden="true" />
        <span>{t('shell.goTo')}</span>
        <ShortcutKey of="Mod-k" isSilent />
      </UnstyledButton>
    </header>
  )
}

/** What names the open page, and the pages that it is within before it. */
const useHandles = (): (Handle & { path: string })[] =>
  useMatches().flatMap(({ handle, pathname }) => (hasBreadcrumb(handle) ? [{ path: pathname, ...handle }] : []))

function Breadcrumbs({ pageName }: Pick<Props, 'pageName'>) {
  const { t } = useTranslation()
  const { name } = useNewsletter()
  const { pathname } = useLocation()
  const named = useHandles().map(({ path, crumb }) => ({ path, text: t(crumb) }))
  const crumbs =
    pageName === null ? named : [...named.filter(({ path }) => path !== pathname), { path: pathname, text: pageName }]
  const here = crumbs.at(-1)?.text ?? ''
  useEffect(() => {
    document.title = [here, name, 'Tirage'].filter(Boolean).join(' · ')
  }, [here, name])
  return (
    <nav aria-label={t('shell.crumbs')} className={classes.crumbs}>
      <ol>
        <li className={classes.ofNewsletter}>
          <Link to="/dashboard">{name}</Link>
        </li>
        {crumbs.map(({ path, text }, place) => (
          <li key={path}>
            {place === crumbs.length - 1 ? (
              <b aria-current="page">{text}</b>
            ) : (
              <Link to={path}>
                <IconChevronLeft className={classes.back} size={18} stroke={1.6} aria-hidden="true" />
                {text}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
