import { isLinkAddress } from '../../../server/publications/document/schema.ts'

/** The whole address for what somebody typed: `example.org` gets https, an email address mailto; null for neither. */
export function addressFrom(typed: string): string | null {
  const text: string = typed.trim()
  if (text === '') return null
  const entire = whole(text)
  if (entire) return entire
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return whole(`mailto:${text}`)
  if (/^\+?[\d ().-]{6,}$/.test(text)) return whole(`tel:${text.replaceAll(/[ ().-]/g, '')}`)
  return /^[^\s:/]+\.[^\s:/]+/.test(text) ? whole(`https://${text}`) : null
}

const whole = (address: string): string | null => (isLinkAddress(address) ? address : null)
