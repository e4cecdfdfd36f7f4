import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, ownLanguageChoices, useLanguage } from '../language.ts'
import { Wordmark } from '../ui/logo.tsx'
import { Artwork } from './artwork.tsx'
import classes from './identity.module.css'

/** The frame of the sign-in pages: a column with a form, and a decoration. */
export function AuthFrame(props: { title: string; lead?: ReactNode; children: ReactNode; foot?: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Tirage`
  }, [props.title])
  return (
    <div className={classes.frame}>
      <main className={classes.column}>
        <header className={classes.head}>
          <Wordmark large />
          <LanguageChoice />
        </header>
        <div className={classes.middle}>
          <h1>{props.title}</h1>
          {props.lead && <p className={classes.lead}>{props.lead}</p>}
          {props.children}
        </div>
        <p className={classes.foot}>{props.foot}</p>
      </main>
      <Artwork />
    </div>
  )
}

function LanguageChoice() {
  const { t } = useTranslation()
  const current = useLanguage()
  return (
    <nav className={classes.languages} aria-label={t('identity.language')}>
      {ownLanguageChoices.map(({ value, label }) => (
        <UnstyledButton
          key={value}
          lang={value}
          aria-current={current === value ? 'true' : undefined}
          onClick={() => void changeLanguage(value)}
        >
          {label}
        </UnstyledButton>
      ))}
    </nav>
  )
}
