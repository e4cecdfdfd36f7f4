import { renderToStaticMarkup } from 'react-dom/server'
import { type Language, languageLabel, languages } from '../languages.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import firstScreenSource from './first-screen.css?raw'
import { studioPaths } from './studio-paths.ts'

interface FirstScreen {
  page: 'signUp' | 'login'
  fields: ('name' | 'email' | 'password' | 'firstNewsletter')[]
  /** The height in pixels of what stands below the button. */
  below: number
}

const firstScreens: Record<string, FirstScreen> = {
  [studioPaths.signUp]: { page: 'signUp', fields: ['name', 'email', 'password', 'firstNewsletter'], below: 93 },
  [studioPaths.login]: { page: 'login', fields: ['email', 'password'], below: 147 },
}

/**
 * What a sign-in page shows while the app is on its way: the words where they will stand, and the places of its fields, as HTML with its
 * style. The app draws over it. A phone on a slow connection reads it seconds earlier. Empty for every other page.
 *
 * @param fonts style rules of the faces that it is set in
 */
export function firstScreen(path: string, { language, fonts }: { language: Language; fonts: string }): string {
  const screen = firstScreens[path]
  if (!screen) return ''
  const style = `<style nonce="__STYLE_NONCE__">${fonts}${stylesheet(firstScreenSource)}</style>`
  return style + renderToStaticMarkup(<Screen {...screen} language={language} />)
}

function Screen({ page, fields, below, language }: FirstScreen & { language: Language }) {
  const t = translator(language)
  return (
    <div className="first-screen">
      <div className="first-column">
        <div className="first-head">
          <span className="first-mark">
            <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
              <rect x="2" y="2.5" width="20" height="5" rx="1" />
              <path d="M8.5 9.5h7v3.2h-7zM8.5 14.2h7v2.4h-7zM8.5 18.1h7v1.7h-7zM8.5 21.2h7v1h-7z" />
            </svg>
            Tirage
          </span>
          <span className="first-languages">
            {languages.map((each) => (
              <span key={each} lang={each} data-chosen={each === language || undefined}>
                {languageLabel(each)}
              </span>
            ))}
          </span>
        </div>
        <div className="first-middle">
          <h1>{t(`identity.${page}.title`)}</h1>
          <p>{t(`identity.${page}.lead`)}</p>
          {fields.map((field) => (
            <div className="first-field" key={field}>
              {t(`identity.${field}`)}
              <i />
              {field === 'password' && page === 'signUp' && <small>{t('identity.strength.none')}</small>}
            </div>
          ))}
          {page === 'login' && <div className="first-remember" />}
          <div className="first-button">{t(`identity.${page}.submit`)}</div>
          <div style={{ height: below }} />
        </div>
        <div className="first-foot" />
      </div>
    </div>
  )
}
