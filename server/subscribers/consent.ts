import { type Language, translator } from '../languages.ts'

/** Raised whenever a sentence of `subscribers.consent` changes; receipts keep it beside the words. */
export const WORDING_VERSION = '2026-11'

/** The exact words that a person says yes to, or takes back. */
export function consentWording(act: 'yes' | 'leave' | 'return', newsletterName: string, language: Language): string {
  return translator(language)(`subscribers.consent.${act}`, { newsletter: newsletterName })
}
