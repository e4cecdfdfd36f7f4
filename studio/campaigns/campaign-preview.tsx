import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdMarks } from '../../i18n/french-spaces.ts'
import type { Language } from '../../server/languages.ts'
import { ownLanguageChoices, useLanguage, useSentencesIn } from '../language.ts'
import { accentStyle } from '../newsletters/accent.ts'
import { pairings } from '../newsletters/pairings.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import type { Faults } from '../ui/faults.ts'
import { Section } from '../ui/section.tsx'
import { type CampaignDraft, writtenIn } from './campaign-draft.ts'
import classes from './campaigns.module.css'
import { useFieldNames } from './field-faults.ts'

interface Props {
  draft: CampaignDraft
  /** What keeps it from being saved. */
  problems: Faults
}

/** The page as readers will see it, and what is still missing before it can ask. */
export function CampaignPreview({ draft, problems }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const own = useLanguage()
  const [language, setLanguage] = useState<Language>(own)
  const shown = useSentencesIn(language)
  const words = draft.words[language]
  const { accent, accentNight } = accentStyle(/^#[0-9a-f]{6}$/i.test(draft.accent) ? draft.accent : newsletter.accent)
  const color = `light-dark(${accent}, ${accentNight})`
  // What is missing in words that were begun is among the problems.
  const isWorded = ownLanguageChoices.some(({ value }) => writtenIn(draft.words[value]) !== 'none')
  const nameOf = useFieldNames()
  const faces = pairings[newsletter.pairing]
  const style = {
    '--display': faces.display,
    '--display-weight': faces.displayWeight,
    '--display-tracking': faces.displayTracking,
    '--text': faces.text,
    '--ui': faces.ui,
  }
  const missing = [
    ...(isWorded ? [] : ['words' as const]),
    ...(draft.startsAt === '' ? ['start' as const] : []),
    ...(draft.beneficiary === 'sponsor' && draft.sponsor.address === '' ? ['address' as const] : []),
  ]
  return (
    <div>
      <Section
        title={t('campaigns.preview.title')}
        aside={
          <SegmentedControl
            size="xs"
            aria-label={t('campaigns.preview.language')}
            data={ownLanguageChoices}
            value={language}
            onChange={(value) => setLanguage(ownLanguageChoices.find((one) => one.value === value)?.value ?? own)}
          />
        }
      >
        <div className={classes.preview} lang={language} style={style}>
          <p className={classes.previewHead}>
            {newsletter.logoUrl ? <img src={newsletter.logoUrl} alt={newsletter.name} /> : newsletter.name}
          </p>
          <p className={classes.question}>{holdMarks(words.question) || '…'}</p>
          <p className={classes.offer}>{words.offer}</p>
          <p className={classes.previewButton} style={{ color, borderColor: color }}>
            {words.yes || '…'}
          </p>
          <p className={classes.previewButton} style={{ color, borderColor: color }}>
            {shown('campaigns.preview.no')}
          </p>
          <p className={classes.previewAfter}>{words.afterYes}</p>
        </div>
      </Section>
      <Section title={t('campaigns.preview.before')}>
        {missing.length === 0 && Object.keys(problems).length === 0 ? (
          <p className={classes.quiet}>{t('campaigns.preview.ready')}</p>
        ) : (
          <ul className={classes.missing}>
            {missing.map((one) => (
              <li key={one}>{t(`campaigns.preview.missing.${one}`)}</li>
            ))}
            {Object.entries(problems).map(([path, problem]) => (
              <li key={path}>
                <b>{nameOf(path)}</b>
                {problem}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}
