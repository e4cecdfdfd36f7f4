import { createRequire } from 'node:module'
import type { NewsletterRow } from '../http/scope.ts'

/**
 * Names that RFC 2142 gives to functions of a domain, and those that are usual for several people's shared box or for no person at all.
 * A first name or a trade (`bakery@`) is not among them: one person may well read it.
 */
const roles = new Set(
  `abuse admin administration administrator billing compliance contact customerservice devnull dns donotreply enquiries finance ftp
  hello help helpdesk hostmaster hr info information inquiries it jobs legal list list-request mailer-daemon mailerdaemon marketing
  media news newsletter no-reply noc noreply null office orders postmaster press privacy recruitment registrar reservations root sales
  security service spam support sysadmin team uucp usenet webmaster www
  accueil bonjour comptabilite direction facturation mairie presse rh secretariat`.split(/\s+/),
)

let disposable: ReadonlySet<string> | undefined

/** Loaded when the first newsletter asks for it. The list is that of github.com/disposable-email-domains, by its package. */
function disposableDomains(): ReadonlySet<string> {
  if (disposable) return disposable
  const list: typeof import('disposable-email-domains-js') = createRequire(import.meta.url)(
    'disposable-email-domains-js',
  )
  disposable = list.disposableEmailBlocklistSet()
  return disposable
}

const isRole = (normalised: string): boolean =>
  roles.has(normalised.slice(0, normalised.lastIndexOf('@')).split('+', 1)[0] ?? '')

/** Also for the subdomains of one that is in the list. */
function isDisposable(normalised: string): boolean {
  const labels = normalised.slice(normalised.lastIndexOf('@') + 1).split('.')
  return labels.some((_, at) => at < labels.length - 1 && disposableDomains().has(labels.slice(at).join('.')))
}

/** What becomes of an address that is not one person's own, or null for any other. Of two policies the stricter one counts. */
export function policyFor(
  { role_addresses, disposable_addresses }: Pick<NewsletterRow, 'role_addresses' | 'disposable_addresses'>,
  normalised: string,
): { kind: 'role' | 'disposable'; policy: 'confirm' | 'refuse' } | null {
  const isShared = role_addresses !== 'accept' && isRole(normalised)
  const isThrownAway = disposable_addresses !== 'accept' && isDisposable(normalised)
  if (isShared && (role_addresses === 'refuse' || !isThrownAway)) return { kind: 'role', policy: role_addresses }
  return isThrownAway ? { kind: 'disposable', policy: disposable_addresses } : null
}
