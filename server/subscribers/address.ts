import { domainToASCII } from 'node:url'

export interface Address {
  /** As it was typed, without the spaces around it. */
  typed: string
  /** What makes two addresses the same one here. */
  normalised: string
}

/** RFC 5321 section 4.1.2, dot-string: what every relay accepts. Quoted local parts and raw IP addresses are not. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const NO_DOMAIN = /[\s%:/\\[\]@#?<>"'`|^{}]/

/**
 * Reads an email address, or null when it is none. Normalised means: lower case on both sides of the @, and the domain in
 * ASCII (IDNA). Dots and `+tags` stay, since only the mail provider knows whether they matter.
 */
export function readAddress(text: string): Address | null {
  const typed = text.trim().normalize('NFC')
  const at = typed.lastIndexOf('@')
  if (at < 1 || typed.length > 254) return null
  const local = typed.slice(0, at).toLowerCase()
  const domain = readDomain(typed.slice(at + 1))
  if (local.length > 64 || !LOCAL.test(local) || domain === null) return null
  const normalised = `${local}@${domain}`
  return normalised.length > 254 ? null : { typed, normalised }
}

function readDomain(text: string): string | null {
  if (NO_DOMAIN.test(text)) return null
  const domain = domainToASCII(text)
  const labels = domain.split('.')
  const top = labels.at(-1) ?? ''
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(top) ? domain : null
}

/** A line does not break after it: else browsers do so at an ellipsis (Unicode Standard Annex 14). */
const HIDDEN = '…\u2060'

/** Enough for its owner to recognise it, too little for anybody else: `a…u@orange.fr`. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const local = [...email.slice(0, at)]
  const shown = local.length > 2 ? `${local[0]}${HIDDEN}${local.at(-1)}` : `${local[0] ?? ''}${HIDDEN}`
  return shown + email.slice(at)
}
