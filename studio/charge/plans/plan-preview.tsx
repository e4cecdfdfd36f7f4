import { SegmentedControl } from '@mantine/core'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { PriceShape } from '../../../server/charge/plans/contract.ts'
import type { Language } from '../../../server/languages.ts'
import { ownLanguageChoices, useLanguage, useSentencesIn } from '../../language.ts'
import { accentStyle } from '../../newsletters/accent.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { priceText } from '../words.ts'

interface Props {
  words: Partial<Record<Language, { name: string; promise: string }>>
  prices: PriceShape[]
  trialDays: number
  payMore: boolean
  /** Whether whoever reads it can take it there and then. */
  isSold: boolean
}

/** The plan as a visitor sees it, in either language, with the prices of the newsletter's currency. */
export function PlanPreview({ words, prices, trialDays, payMore, isSold }: Props) {
  const { t } = useTranslation()
  const { accent: chosen, currency } = useNewsletter()
  const { accent, accentNight } = accentStyle(chosen)
  const [language, setLanguage] = useState<Language>(useLanguage())
  const shown = useSentencesIn(language)
  const { name, promise } = words[language] ?? Object.values(words)[0] ?? { name: '', promise: '' }
  const own = prices.filter((price) => price.currency === currency)
  const style = {
    '--preview-accent': `light-dark(${accent}, ${accentNight})`,
  } as CSSProperties
  return (
    <Section
      title={t('plans.preview.title')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('plans.preview.language')}
          data={ownLanguageChoices}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
      }
    >
      <div className={classes.preview} style={style} lang={language}>
        <h3>{holdMarks(name) || t('plans.editor.untitled')}</h3>
        {promise && <p>{holdMarks(promise)}</p>}
        <ul>
          {(own.length > 0 ? own : prices).map((price) => (
            <li key={`${price.currency} ${price.period}`}>
              {priceText(shown, price, language)}
              {payMore && shown('plans.preview.orMore')}
            </li>
          ))}
        </ul>
        {isSold ? (
          <div className={classes.button} aria-hidden="true">
            {trialDays > 0 ? shown('plans.preview.try', { count: trialDays }) : shown('plans.preview.take')}
          </div>
        ) : (
          <p>{shown('plans.preview.outside')}</p>
        )}
      </div>
    </Section>
  )
}
