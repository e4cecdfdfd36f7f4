import { AppError } from '../errors.ts'
import { studioPaths } from './studio-paths.ts'

/**
 * Words of our own pages and of mails about accounts, in our languages. An address of ours that ends in one of them looks like ours,
 * wherever it leads.
 */
const words = `
  2fa abuse account accounts administration administrator admin advertise api archive arrived assets auth authenticate
  authentication billing campaign charge checkout confirm confirmation dashboard feed forgot forgotpassword healthz help
  helpdesk hostmaster identity invitation invite invoice live login logout logon mailerdaemon media metrics myaccount noreply
  oauth official onetimecode optin otp outbox passkey passwd password passwordreset passwords pay payment payments postmaster
  profile publish readyz recover recovery redirect refund register reset resetpassword root secure security session settings
  signin signout signup sso static stripe sub subscribe support system tirage token twofactor unsub unsubscribe updateaccount
  updatepassword update validate verification verified verify verifyaccount verifyemail wallet webhooks webmaster welcome
  abonner aide administrateur assistance authentification codeunique compte comptes confirmer connecter connexion deconnexion
  desabonnement desabonner desinscription facturation facture inscription inscrire moncompte monprofil motdepasse
  motdepasseoublie officiel oublie paiement paiements parametres payer profil recuperation recuperer reglages
  reinitialisation reinitialiser reinitialisermotdepasse remboursement sabonner seconnecter securite sedesabonner
  sidentifier sinscrire tableaudebord validation valider verificationcompte verifier verifiermoncompte
`.split(/\s+/)

/** Signs that are read as others: digits as letters, and the pairs that look like one letter. */
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  i: 'l',
  q: 'g',
  rn: 'm',
  vv: 'w',
}

/** A text as somebody in a hurry reads it: without accents, case and separators. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')
    .replaceAll(/rn|vv|[0-9iq]/g, (sign) => lookalikes[sign] ?? sign)

const screens = Object.values(studioPaths).flatMap((path) => path.split('/').filter((part) => !part.startsWith(':')))
const reserved = new Set([...words, ...screens].map(folded).filter(Boolean))

/** Whether an address that ends so could be taken for one of ours. A number at its end makes no difference. */
export const isReserved = (slug: string): boolean =>
  reserved.has(folded(slug)) || reserved.has(folded(slug.replace(/[\W_]*\d+$/, '')))

/** @throws AppError slug_reserved */
export function refuseReserved(slug: string, field: string): void {
  if (isReserved(slug)) throw new AppError('slug_reserved', { field })
}
