import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'
import type { consentMeans } from './contract.ts'

/** What a person said yes or no to, and how it reached us. */
export interface Receipt {
  wording: string
  wordingVersion: string
  /** The language of the wording. */
  language: Language
  means: (typeof consentMeans)[number]
  /** What proves it besides the means, in at most 200 characters: `publication …` is added where one is known. */
  proof: string | null
  /** For whom it is, by the name of the time. An `id` of null is the newsletter itself. */
  beneficiary: { id: string | null; name: string }
  /** The network it came from. It is written down as `shortNetworkOf` shortens it. */
  network: string | null
}

/** Raised whenever a sentence of `subscribers.consent` changes; receipts keep it beside the words. */
export const WORDING_VERSION = '2026-11-30'
/** The version of words that are not ours. */
export const OWN_WORDS = 'own'

/**
 * What somebody does with their consent. `added`, `removed` and `putBack` are acts of a member or an API key in their place;
 * `bouncedElsewhere` and `leftElsewhere` are what an imported file says of them.
 */
type Act =
  | 'yes'
  | 'leave'
  | 'return'
  | 'moved'
  | 'movedBack'
  | 'added'
  | 'removed'
  | 'putBack'
  | 'complained'
  | 'bouncedElsewhere'
  | 'leftElsewhere'

/** The exact words that a person says yes to, or takes back. */
export function consentWording(act: Act, newsletterName: string, language: Language): string {
  return translator(language)(`subscribers.consent.${act}`, { newsletter: newsletterName })
}

interface Consenting extends Pick<Receipt, 'language' | 'means' | 'network'> {
  newsletter: { name: string }
  /** The person's own words, or those that another page showed them, in place of ours. */
  words?: string | null | undefined
  proof?: string | null
}

/** The receipt of an act for a newsletter: of somebody who was shown today's words in a language, unless `words` says others. */
export const receiptOf = (
  act: Act,
  { newsletter, language, means, network, words = null, proof = null }: Consenting,
): Receipt => ({
  wording: words ?? consentWording(act, newsletter.name, language),
  wordingVersion: words === null ? WORDING_VERSION : OWN_WORDS,
  language,
  means,
  proof,
  beneficiary: { id: null, name: newsletter.name },
  network,
})
