import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches, useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { IconCheck, IconPlus, IconSelector, IconTable } from '../ui/icons.ts'
import { NewsletterInitial } from '../ui/logo.tsx'
import { dropUnsaved, hasUnsaved, LeaveQuestion } from '../ui/unsaved.tsx'
import { useNewsletterChoice } from './newsletter.tsx'
import classes from './sidebar.module.css'

/** Shows the open newsletter, and a menu to open another or create one. */
export function NewsletterSwitcher() {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { newsletter, newsletters, choose } = useNewsletterChoice()
  const [asked, setAsked] = useState<string | null>(null)
  // Nobody chooses before the menu is open, and the first screen is without the question.
  const [isNear, setNear] = useState(false)
  const above = usePageAbove()
  const open = async (newsletterId: string) => {
    if (above) await navigate(above)
    choose(newsletterId)
  }
  const change = (newsletterId: string) => {
    if (newsletterId === newsletter.id) return
    if (hasUnsaved()) setAsked(newsletterId)
    else void open(newsletterId)
  }
  return (
    <>
      <Menu width={276} position="bottom-start" offset={4} onOpen={() => setNear(true)}>
        <Menu.Target>
          <UnstyledButton className={classes.switcher}>
            <NewsletterInitial name={newsletter.name} accent={newsletter.accent} />
            <span className={classes.ellipsis}>
              <b>{newsletter.name}</b>
              <small>{withoutScheme(newsletter.urls.archive)}</small>
            </span>
            <VisuallyHidden>{t('shell.switch')}</VisuallyHidden>
            <IconSelector size={16} stroke={1.6} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {newsletters.map((one) => (
            <Menu.Item
              key={one.id}
              onClick={() => change(one.id)}
              leftSection={<NewsletterInitial name={one.name} accent={one.accent} />}
              rightSection={
                one.id === newsletter.id && <IconCheck size={16} stroke={1.6} aria-label={t('shell.open')} />
              }
            >
              <span className={classes.ellipsis}>
                <b>{one.name}</b>
                <small>{t('ui.subscribers', { count: one.subscribers, number: format.number(one.subscribers) })}</small>
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {newsletters.length > 1 && (
            <Menu.Item
              leftSection={<IconTable size={16} stroke={1.6} />}
              onClick={() => void navigate(studioPaths.sideBySide)}
            >
              {t('shell.titles.sideBySide')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => void navigate('/welcome')}>
            {t('shell.startNewsletter')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNear && (
        <LeaveQuestion
          opened={asked !== null}
          onStay={() => setAsked(null)}
          onLeave={() => {
            setAsked(null)
            dropUnsaved()
            if (asked !== null) void open(asked)
          }}
        />
      )}
    </>
  )
}

/** The nearest page above that of one thing, which no other newsletter has. Null on a page that every newsletter has. */
function usePageAbove(): string | null {
  const matches = useMatches()
  const things = Object.values(matches.at(-1)?.params ?? {})
  if (things.length === 0) return null
  const above = matches.findLast(({ pathname }) => !pathname.split('/').some((part) => things.includes(part)))
  return above && above.pathname !== '/' ? above.pathname : studioPaths.dashboard
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '')
