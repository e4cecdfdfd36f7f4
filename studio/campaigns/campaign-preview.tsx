import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../server/languages.ts'
import { ownLanguageChoices, useLanguage } from '../language.ts'
import { accentStyle } from '../newsletters/accent.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import { type CampaignDraft, writtenIn } from './campaign-draft.ts'
import classes from './campaigns.module.css'

/** The page as readers will see it, and what is still missing before it can ask. */
export function CampaignPreview({ draft }: { draft: CampaignDraft }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const own = useLanguage()
  const [language, setLanguage] = useState<Language>(own)
  const words = draft.words[language]
  const { accent, accentNight } = accentStyle(/^#[0-9a-f]{6}$/i.test(draft.accent) ? draft.accent : newsletter.accent)
  const color = `light-dark(${accent}, ${accentNight})`
  const isWorded = ownLanguageChoices.some(({ value }) => writtenIn(draft.words[value]) === 'all')
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
        <div className={classes.preview} lang={language}>
          <p className={classes.previewHead}>{newsletter.name}</p>
          <p className={classes.question}>{words.question || '…'}</p>
          <p className={classes.offer}>{words.offer}</p>
          <p className={classes.previewButton} style={{ color, borderColor: color }}>
            {words.yes || '…'}
          </p>
          <p className={classes.quiet}>{words.afterYes}</p>
        </div>
      </Section>
      <Section title={t('campaigns.preview.before')}>
        {missing.length === 0 ? (
          <p className={classes.quiet}>{t('campaigns.preview.ready')}</p>
        ) : (
          <ul className={classes.missing}>
            {missing.map((one) => (
              <li key={one}>{t(`campaigns.preview.missing.${one}`)}</li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}
