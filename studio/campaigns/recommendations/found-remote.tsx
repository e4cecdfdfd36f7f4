import { useTranslation } from 'react-i18next'
import type { FoundNewsletter } from '../../../server/campaigns/recommendations/remote/contract.ts'
import { isLanguage, languageLabel } from '../../../server/languages.ts'
import { useLanguage } from '../../language.ts'
import classes from './recommendations.module.css'
import { ClockNote } from './remote-clock.tsx'

/** What a newsletter of another server says of itself, before it is recommended. */
export function FoundRemote({ found }: { found: FoundNewsletter }) {
  const { t } = useTranslation()
  const reader = useLanguage()
  const { name, host, url, description, language, key } = found
  return (
    <div className={classes.changed}>
      <p>{t('recommendations.remote.check')}</p>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          <b>{t('recommendations.remote.found', { name, host })}</b>
        </a>
      </p>
      {description && <p lang={language}>{description}</p>}
      <p>
        {t('recommendations.remote.language', {
          language: isLanguage(language) ? languageLabel(language, reader) : language,
        })}
      </p>
      <p>
        {t('recommendations.remote.key')} <code>{key}</code>
      </p>
      <p>{t('recommendations.remote.keyHint')}</p>
      <ClockNote {...found} />
      <p>{t('recommendations.remote.note')}</p>
    </div>
  )
}
