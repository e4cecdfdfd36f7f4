import { isTestRecipient } from '../database/ids.ts'

/** The parameter that says in an address of a mail whose it is (`campaigns/opt-in/address.ts`), and the one that names the link that led there. */
export const CODE = 'k'
export const VIA = 'via'

/**
 * Where a link leads with what a page of our own needs to know of it: to the page of a campaign the link's id and whose the mail was,
 * and to another short link whose it was, and that it was a test. Of any other target nothing is changed.
 */
export function leadOn(
  target: string,
  { publicUrl, linkId, query }: { publicUrl: string; linkId: string; query: Readonly<Record<string, unknown>> },
): string {
  if (!target.startsWith(publicUrl)) return target
  const path = target.slice(publicUrl.length)
  const isPage = path.startsWith('/optin/')
  if (!isPage && !/^\/(?:r|redirect)\//.test(path)) return target
  const url = URL.parse(target)
  if (!url) return target
  const { [CODE]: code, s: reader } = query
  if (isPage) url.searchParams.set(VIA, linkId)
  else if (typeof reader === 'string' && isTestRecipient(reader)) url.searchParams.set('s', reader)
  if (typeof code === 'string' && /^[0-9a-f-]{36}$/i.test(code)) url.searchParams.set(CODE, code)
  return url.href
}
