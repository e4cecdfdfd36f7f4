import { isLinkAddress } from '../../../../server/publications/document/schema.ts'

/** The complete address for typed text: `example.org` gets https, an email address mailto, a phone number tel. Else null. */
export function addressFromTyped(typed: string): string | null {
  const text: string = typed.trim()
  if (text === '') return null
  const entire = valid(text)
  if (entire) return entire
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return valid(`mailto:${text}`)
  if (/^\+?[\d ().-]{6,}$/.test(text)) return valid(`tel:${text.replaceAll(/[ ().-]/g, '')}`)
  return /^[^\s:/]+\.[^\s:/]+/.test(text) ? valid(`https://${text}`) : null
}

const valid = (address: string): string | null => (isLinkAddress(address) ? address : null)
