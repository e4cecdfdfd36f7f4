import { Anchor, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { ShortcutKey } from '../ui/shortcut-key.tsx'
import ui from '../ui/ui.module.css'
import { useClient } from './client.tsx'
import classes from './help-page.module.css'
import { type AskedQuestion, helpParts } from './help-questions.ts'
import { navigationFor } from './navigation.ts'
import { useNewsletter } from './newsletter.tsx'
import { signInOptionsQuery } from './sign-in-options.ts'

/** A small help: what is asked most with the page that does it, what is where, and the keyboard. */
export function HelpPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle title={t('shell.titles.help')} lead={t('help.lead')} />
      {helpParts.map(({ part, questions }) => (
        <Section key={part} title={t(`help.part.${part}`)}>
          <div className={classes.answers}>
            {questions.map((asked) => (
              <Answer key={asked.question} {...asked} />
            ))}
          </div>
          {part === 'server' && (
            <p className={classes.more}>
              <Trans i18nKey="help.more" components={{ code: <Code /> }} />
            </p>
          )}
        </Section>
      ))}
      <WhatIsWhere />
      <Keys />
    </>
  )
}

function Answer({ question, path }: AskedQuestion) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const item = navigationFor(may).find((each) => each.path === path || each.within?.some((page) => page.path === path))
  const page = item?.within?.find((each) => each.path === path)
  return (
    <article id={question}>
      <h3>{t(`help.${question}.question`)}</h3>
      <p>
        <Trans i18nKey={`help.${question}.answer`} components={{ code: <Code /> }} />
      </p>
      {path !== null && item && (
        <Anchor component={Link} to={path} fz="inherit">
          {page && path !== item.path
            ? t('ui.within', { whole: t(`shell.nav.${item.label}`), part: t(page.title) })
            : t(`shell.nav.${item.label}`)}
        </Anchor>
      )}
    </article>
  )
}

function WhatIsWhere() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { data: signIn } = useQuery(signInOptionsQuery)
  const items = navigationFor(may).filter(({ label }) => label !== 'outbox' || signIn?.mailIsCaught)
  return (
    <Section title={t('help.part.where')}>
      <dl className={classes.where}>
        {items.map(({ path, label }) => (
          <div key={path}>
            <dt>
              <Anchor component={Link} to={path} fz="inherit">
                {t(`shell.nav.${label}`)}
              </Anchor>
            </dt>
            <dd>{t(`help.where.${label}`)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <Anchor href="/api/docs" target="_blank" rel="noopener" fz="inherit">
              {t('shell.apiReference')}
            </Anchor>
          </dt>
          <dd>{t('help.programs')}</dd>
        </div>
      </dl>
    </Section>
  )
}

function Keys() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { singleKeys } = useClient().profile
  const keys = [
    { of: 'Mod-k', does: t('help.keys.find') },
    ...(may('publications.write')
      ? [
          ...(singleKeys ? [{ of: 'c', does: t('shell.newPublication') }] : []),
          { of: '/', does: t('help.keys.insert') },
          { of: `Mod-${t('help.keys.enter')}`, does: t('help.keys.settings') },
          { of: 'Alt-F10', does: t('help.keys.tools') },
        ]
      : []),
  ]
  return (
    <Section title={t('help.part.keys')} className={ui.keyboardOnly}>
      <dl className={classes.where}>
        {keys.map(({ of, does }) => (
          <div key={of}>
            <dt>
              <ShortcutKey of={of} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.more}>
        <Trans
          i18nKey={singleKeys ? 'help.keys.single' : 'help.keys.singleOff'}
          components={{ profile: <Anchor component={Link} to={studioPaths.profile} fz="inherit" /> }}
        />
      </p>
    </Section>
  )
}
