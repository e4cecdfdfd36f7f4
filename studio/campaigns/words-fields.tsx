import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type OptInWords, optInLimits } from '../../server/campaigns/opt-in/contract.ts'
import { type Language, languageLabel, languageName, languagesFrom } from '../../server/languages.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import { type CampaignDraft, type DraftPart, writtenIn } from './campaign-draft.ts'
import classes from './campaigns.module.css'

/** What readers are asked and told, in each language: that of the newsletter first. */
export function WordsFields(part: DraftPart) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const reader = useLanguage()
  return (
    <Section
      title={t('campaigns.words.title')}
      aside={<span className={classes.small}>{t('campaigns.words.hint')}</span>}
    >
      <div className={classes.languages}>
        {languagesFrom(newsletter.language).map((one) => (
          <InOne key={one} language={one} label={languageLabel(one, reader)} {...part} />
        ))}
      </div>
    </Section>
  )
}

function InOne({ language, label, draft, faults, set }: DraftPart & { language: Language; label: string }) {
  const { t } = useTranslation()
  const name = languageName(language, useLanguage())
  const words = draft.words[language]
  const change = (part: Partial<OptInWords>) =>
    set({ words: { ...draft.words, [language]: { ...words, ...part } } satisfies CampaignDraft['words'] })
  const written = writtenIn(words)
  return (
    <fieldset className={classes.plain} lang={language}>
      <legend className={classes.legend}>
        {label} <small data-state={written}>{t(`campaigns.words.written.${written}`)}</small>
      </legend>
      <TextInput
        label={t('campaigns.words.question', { language: name })}
        maxLength={optInLimits.question}
        value={words.question}
        error={faults[`words.${language}.question`]}
        onChange={(event) => change({ question: event.currentTarget.value })}
      />
      <Textarea
        label={t('campaigns.words.offer', { language: name })}
        maxLength={optInLimits.offer}
        autosize
        minRows={3}
        value={words.offer}
        error={faults[`words.${language}.offer`]}
        onChange={(event) => change({ offer: event.currentTarget.value })}
      />
      <TextInput
        label={t('campaigns.words.yes', { language: name })}
        maxLength={optInLimits.yes}
        value={words.yes}
        error={faults[`words.${language}.yes`]}
        onChange={(event) => change({ yes: event.currentTarget.value })}
      />
      <Textarea
        label={t('campaigns.words.afterYes', { language: name })}
        maxLength={optInLimits.afterYes}
        autosize
        minRows={2}
        value={words.afterYes}
        error={faults[`words.${language}.afterYes`]}
        onChange={(event) => change({ afterYes: event.currentTarget.value })}
      />
    </fieldset>
  )
}
