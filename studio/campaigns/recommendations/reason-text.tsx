import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { Recommendation } from '../../../server/campaigns/recommendations/contract.ts'
import { languages } from '../../../server/languages.ts'

/** Why, in each language in which it was written. */
export function ReasonText({ reasons }: { reasons: Recommendation['reasons'] }) {
  return languages
    .filter((language) => reasons[language])
    .map((language) => (
      <small key={language} lang={language}>
        {holdMarks(reasons[language] ?? '')}
      </small>
    ))
}
