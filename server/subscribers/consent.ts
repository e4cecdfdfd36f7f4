import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'
import type { Receipt } from './change.ts'

/** Raised whenever a sentence of `subscribers.consent` changes; receipts keep it beside the words. */
export const WORDING_VERSION = '2026-11'

/** The exact words that a person says yes to, or takes back. */
export function consentWording(act: 'yes' | 'leave' | 'return', newsletterName: string, language: Language): string {
  return translator(language)(`subscribers.consent.${act}`, { newsletter: newsletterName })
}

interface Consenting extends Pick<Receipt, 'language' | 'means' | 'network'> {
  newsletter: { name: string }
}

/** The receipt of somebody who was shown today's words for an act in a language. */
export const receiptOf = (
  act: 'yes' | 'leave' | 'return',
  { newsletter, language, means, network }: Consenting,
): Receipt => ({
  wording: consentWording(act, newsletter.name, language),
  wordingVersion: WORDING_VERSION,
  language,
  means,
  network,
})
