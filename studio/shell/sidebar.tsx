import { ActionIcon, Avatar, Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { NextStep } from '../analytics/dashboard/next-step.tsx'
import { useFormat } from '../format.ts'
import type { useNewPublication } from '../publications/use-new-publication.ts'
import { WhoCounts } from '../subscribers/who-counts.tsx'
import { IconHelp, IconPlus } from '../ui/icons.ts'
import { Wordmark } from '../ui/logo.tsx'
import { ShortcutKey } from '../ui/shortcut-key.tsx'
import { useClient, useUser } from './client.tsx'
import { type NavItem, navigationFor } from './navigation.ts'
import { useNewsletter } from './newsletter.tsx'
import { NewsletterSwitcher } from './newsletter-switcher.tsx'
import classes from './sidebar.module.css'
import { signInOptionsQuery } from './sign-in-options.ts'

type Begin = ReturnType<typeof useNewPublication>

/** The logo, the open newsletter, the button for a new publication, the navigation and the signed-in user. */
export function Sidebar({ begin }: { begin: Begin }) {
  const { t } = useTranslation()
  const { subscribers, may } = useNewsletter()
  const format = useFormat()
  const { singleKeys } = useClient().profile
  const { data: signIn } = useQuery(signInOptionsQuery)
  const items = navigationFor(may).filter(({ label }) => label !== 'outbox' || signIn?.mailIsCaught)
  return (
    <>
      <Link to="/dashboard" className={classes.brand}>
        <Wordmark />
      </Link>
      <NewsletterSwitcher />
      {may('publications.write') && (
        <Button
          variant="filled"
          color="encre"
          fullWidth
          h={34}
          mb={14}
          justify="space-between"
          loading={begin.isPending}
          onClick={() => begin.mutate()}
          leftSection={<IconPlus size={16} stroke={1.6} />}
          rightSection={singleKeys && <ShortcutKey of="c" className={classes.kbdOnInk} />}
          classNames={{ label: classes.beginLabel ?? '' }}
        >
          {t('shell.newPublication')}
        </Button>
      )}
      <ul className={classes.items}>
        {items.map((item) => (
          <Item key={item.path} item={item} count={item.label === 'subscribers' ? format.number(subscribers) : null} />
        ))}
      </ul>
      <NextStep begin={begin} place="sidebar" />
      <Foot />
    </>
  )
}

function Item({ item, count }: { item: NavItem; count: string | null }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const here = pathname === item.path || pathname.startsWith(`${item.path}/`)
  const Icon = item.icon
  // That of a segment is within that of the segments.
  const open = item.within?.findLast(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <li data-on={here || undefined}>
      <Link to={item.path} aria-current={here ? 'page' : undefined}>
        <Icon size={18} stroke={1.6} aria-hidden="true" />
        {t(`shell.nav.${item.label}`)}
        {count !== null && <span className={classes.count}>{count}</span>}
      </Link>
      {count !== null && (
        <span className={classes.who}>
          <WhoCounts />
        </span>
      )}
      {here && item.within && (
        <ul>
          {item.within.map(({ path, title }) => (
            <li key={path}>
              <Link to={path} aria-current={path === open?.path ? 'page' : undefined}>
                {t(title)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Foot() {
  const { t } = useTranslation()
  const user = useUser()
  const { role } = useNewsletter()
  const name = user.anonymous ? t('shell.guest') : user.displayName || user.email
  return (
    <div className={classes.foot}>
      <Link to="/profile" className={classes.profile}>
        <Avatar
          src={user.photoURL}
          name={name}
          size={26}
          color="gray"
          variant="default"
          radius="xl"
          aria-hidden="true"
        />
        <span className={classes.ellipsis}>
          <b>{name}</b>
          <small>{t(`ui.role.${role}`)}</small>
        </span>
        <VisuallyHidden>{t('shell.profile')}</VisuallyHidden>
      </Link>
      <ActionIcon
        component={Link}
        to={studioPaths.help}
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={t('shell.titles.help')}
      >
        <IconHelp size={18} stroke={1.6} />
      </ActionIcon>
    </div>
  )
}
