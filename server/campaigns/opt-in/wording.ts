import { isLanguage, type Language } from '../../languages.ts'
import { typeset } from '../../publications/document/typography.ts'
import type { Receipt } from '../../subscribers/consent.ts'
import { consentWording } from '../../subscribers/consent.ts'
import { translator } from '../../translator.ts'
import type { OptInWords } from './contract.ts'
import type { Campaign } from './queries.ts'

export interface WordsIn {
  language: Language
  words: OptInWords
}

/** The words as they are read, in a language or, when they are not written in it, in the newsletter's or any other. Null when there are none. */
export function wordsIn({ words }: Pick<Campaign, 'words'>, ...preferred: Language[]): WordsIn | null {
  const written = Object.keys(words).filter(isLanguage)
  const language = [...preferred, ...written].find((one) => words[one])
  const found = language && words[language]
  if (!found) return null
  const set = (text: string) => typeset(text, language)
  const { question, offer, yes, afterYes } = found
  return { language, words: { question: set(question), offer: set(offer), yes: set(yes), afterYes: set(afterYes) } }
}

/**
 * What would be passed on, to whom and for how long: the part of the page that is not the owner's own words. `joins`: whoever says yes may not
 * be subscribed yet, and a yes for this newsletter subscribes them.
 */
export function passedOn(
  campaign: Campaign,
  newsletterName: string,
  { language, joins }: { language: Language; joins: boolean },
): string[] {
  const t = translator(language)
  if (campaign.beneficiary === 'sponsor') {
    const { sponsorName, sponsorAddress } = campaign
    const who = [sponsorName, sponsorAddress].filter((one) => one !== '').join(', ')
    return [t('optIn.passes.sponsor', { who }), t('optIn.until', { who: sponsorName, newsletter: newsletterName })]
  }
  if (campaign.beneficiary === 'other_newsletter') {
    const other = campaign.toNewsletterName ?? ''
    return [t('optIn.passes.otherNewsletter', { other }), agreed(other, language)]
  }
  const noted = [t('optIn.passes.newsletter', { newsletter: newsletterName }), t('optIn.untilTakenBack')]
  return joins ? [...noted, agreed(newsletterName, language)] : noted
}

/** The words of a subscription, which stand between sentences to the reader. */
const agreed = (newsletter: string, language: Language): string =>
  translator(language)('optIn.agreed', { words: consentWording('yes', newsletter, language) })

/** What a yes does to subscriptions, in one sentence for the place where it is given. `joins`: as for `passedOn`. */
export function whatFollows(
  { beneficiary, toNewsletterName }: Pick<Campaign, 'beneficiary' | 'toNewsletterName'>,
  newsletter: string,
  { language, joins }: { language: Language; joins: boolean },
): string {
  const t = translator(language)
  const other = toNewsletterName ?? ''
  if (beneficiary === 'other_newsletter')
    return t(`optIn.follows.${joins ? 'otherOnly' : 'other'}`, { other, newsletter })
  if (!joins) return t('optIn.unchanged', { newsletter })
  return t(`optIn.follows.${beneficiary}`, { newsletter })
}

/**
 * What taking a yes back did for whoever had it, or null when they are no more. `list`: how a sponsor can see it.
 */
export function whatEnded(
  { beneficiary, toNewsletterName, sponsorName }: Campaign,
  newsletter: string,
  { language, list }: { language: Language; list: 'never' | 'shared' | 'closed' },
): string | null {
  const t = translator(language)
  if (beneficiary === 'sponsor') return t(`optIn.undoneMeans.${list}`, { who: sponsorName })
  const who = beneficiary === 'newsletter' ? newsletter : toNewsletterName
  return who === null ? null : t('optIn.undoneMeans.newsletter', { who })
}

interface Said {
  campaign: Campaign
  shown: WordsIn
  newsletterName: string
  means: Receipt['means']
  /** Whether they may not have been subscribed. */
  joins: boolean
  proof: string
  network: string | null
}

/** What stands between the parts of what somebody read. */
const BETWEEN = '\n\n'

/** The parts of what somebody read, as a receipt has them; the question is the first. */
export const partsRead = (wording: string): string[] => wording.split(BETWEEN)

/** The receipt of a yes: everything that the page said, and for whom. */
export function yesReceipt(said: Said): Receipt {
  const { campaign, shown, newsletterName, joins, means, proof, network } = said
  const { language, words } = shown
  const read = [
    words.question,
    words.offer,
    ...passedOn(campaign, newsletterName, { language, joins }),
    whatFollows(campaign, newsletterName, { language, joins }),
    words.yes,
  ].join(BETWEEN)
  const wordingVersion = String(campaign.version)
  return { wording: read, wordingVersion, language, means, proof, network, beneficiary: beneficiaryOf(said) }
}

/** The receipt of taking a yes back: the question that was read then, whatever the campaign asks since. */
export function undoReceipt(
  yes: Pick<Receipt, 'wording' | 'wordingVersion' | 'language'>,
  said: Pick<Said, 'campaign' | 'newsletterName' | 'proof' | 'network'>,
): Receipt {
  const [question = ''] = partsRead(yes.wording)
  return {
    ...yes,
    wording: translator(yes.language)('optIn.undoWords', { question }),
    means: 'campaign',
    proof: said.proof,
    network: said.network,
    beneficiary: beneficiaryOf(said),
  }
}

function beneficiaryOf({
  campaign,
  newsletterName,
}: Pick<Said, 'campaign' | 'newsletterName'>): Receipt['beneficiary'] {
  const name = {
    newsletter: newsletterName,
    other_newsletter: campaign.toNewsletterName ?? '',
    sponsor: campaign.sponsorName,
  }
  return { id: beneficiaryId(campaign), name: name[campaign.beneficiary] }
}

const beneficiaryId = ({ beneficiary, toNewsletterId, id }: Campaign): string | null =>
  beneficiary === 'newsletter' ? null : beneficiary === 'sponsor' ? `sponsor of ${id}` : toNewsletterId
