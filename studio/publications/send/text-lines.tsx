import { useTranslation } from 'react-i18next'
import { languageName } from '../../../server/languages.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import type { PreFlightReport, Publication } from '../queries.ts'
import { CheckLine } from './check-line.tsx'
import classes from './send.module.css'

interface VagueProps {
  links: PreFlightReport['vagueLinks']
  count: number
  mend: string
}

/** Links whose words do not say where they lead. */
export function VagueLinks({ links, count, mend }: VagueProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const each = new Map(links.map((link) => [`${link.words} ${link.address}`, link]))
  return (
    <CheckLine
      kind="warn"
      title={t('preFlight.vague_links', { count, n: format.number(count) })}
      text={t('preFlight.text.vague_links')}
      to={mend}
      fixLabel={t('preFlight.mend.vague_links', { count })}
      {...(links[0] && { place: { at: 'address', address: links[0].address } })}
    >
      <ul className={classes.found}>
        {[...each].map(([key, { words, address }]) => (
          <li key={key}>
            {words ? <q>{words}</q> : <span>{t('preFlight.noWords')}</span>}
            <span className={classes.address}>{address}</span>
          </li>
        ))}
      </ul>
    </CheckLine>
  )
}

interface LanguageProps {
  of: Publication
  writtenIn: PreFlightReport['writtenIn']
  mend: string
}

/** A text that says it is in another language than it is. */
export function OtherLanguage({ of: { language }, writtenIn, mend }: LanguageProps) {
  const { t } = useTranslation()
  const reader = useLanguage()
  return (
    <CheckLine
      kind="warn"
      title={t('preFlight.other_language', {
        said: languageName(language, reader),
        written: languageName(writtenIn ?? language, reader),
      })}
      text={t('preFlight.text.other_language')}
      to={mend}
      fixLabel={t('preFlight.mend.other_language')}
      place={{ at: 'details' }}
    />
  )
}
