import type { z } from 'zod'
import { brandStyle, defaultAccent } from '../../server/newsletters/branding.ts'
import { NewsletterSettings } from '../../server/newsletters/contract.ts'
import { faces } from '../../server/page/faces.ts'

export type Pairing = z.infer<typeof NewsletterSettings>['pairing']

/** The fonts of a pairing for titles, text and buttons, as the newsletter's pages have them. */
function fontsOf(key: Pairing) {
  const { display, text, ui, displayWeight, displayTracking } = brandStyle(defaultAccent, key)
  return { display: faces[display].web, text: faces[text].web, ui: faces[ui].web, displayWeight, displayTracking }
}

/** The font pairings that a newsletter can choose from. */
export const pairings = {
  gazette: { name: 'Gazette', ...fontsOf('gazette') },
  affiche: { name: 'Affiche', ...fontsOf('affiche') },
  revue: { name: 'Revue', ...fontsOf('revue') },
  registre: { name: 'Registre', ...fontsOf('registre') },
  systeme: { name: 'Système', ...fontsOf('systeme') },
} satisfies Record<Pairing, unknown>

export const pairingNames = NewsletterSettings.shape.pairing.options
export const defaultPairing: Pairing = 'gazette'
