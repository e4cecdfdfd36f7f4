import { useTranslation } from 'react-i18next'
import { isLanguage, languageName } from '../../server/languages.ts'
import { ApiError } from '../api.ts'
import { useLanguage } from '../language.ts'

/** Errors that are about one field, with its path. */
const fieldOf: Partial<Record<string, string>> = {
  newsletter_not_found: 'beneficiary.newsletter',
  tag_not_found: 'beneficiary.tagId',
}

/** Gives an error of the server the field that it is about. @throws ApiError */
export function atItsField(refusal: unknown): never {
  const path = refusal instanceof ApiError && fieldOf[refusal.code]
  if (!(refusal instanceof ApiError) || !path) throw refusal
  throw new ApiError(refusal.code, refusal.message, { fields: { [path]: refusal.message }, status: refusal.status })
}

const wordParts = ['question', 'offer', 'yes', 'afterYes'] as const

/** The names of the fields of a campaign on screen, by their path in what the API gets. Those of words say in which language. */
export function useFieldNames(): (path: string) => string {
  const { t } = useTranslation()
  const reader = useLanguage()
  const names: Record<string, string> = {
    name: t('campaigns.name'),
    startsAt: t('campaigns.period.opens'),
    endsAt: t('campaigns.period.closes'),
    cap: t('campaigns.period.cap'),
    accent: t('campaigns.colours.accent'),
    'beneficiary.tagId': t('campaigns.beneficiary.tag'),
    'beneficiary.newsletter': t('campaigns.beneficiary.newsletterId'),
    'beneficiary.sponsor.name': t('campaigns.beneficiary.sponsorName'),
    'beneficiary.sponsor.address': t('campaigns.beneficiary.sponsorAddress'),
    'beneficiary.sponsor.privacy': t('campaigns.beneficiary.sponsorPrivacy'),
  }
  return (path) => {
    const [, language = '', part] = path.split('.')
    const ofWords = path.startsWith('words.') && wordParts.find((one) => one === part)
    if (ofWords && isLanguage(language))
      return t(`campaigns.words.${ofWords}`, { language: languageName(language, reader) })
    return names[path] ?? path
  }
}
