import type { z } from 'zod'
import { NewsletterSettings } from '../../server/newsletters/contract.ts'

const newsreader = '"Newsreader", "Iowan Old Style", Charter, Georgia, serif'
const radioCanada = '"Radio Canada", system-ui, sans-serif'
const system = 'system-ui, sans-serif'

/** The font pairings that a newsletter can choose from: fonts for titles, text and buttons. */
export const pairings = {
  gazette: {
    name: 'Gazette',
    display: newsreader,
    text: newsreader,
    ui: radioCanada,
    faces: 'Newsreader, Radio Canada',
  },
  affiche: {
    name: 'Affiche',
    display: '"Bricolage Grotesque", system-ui, sans-serif',
    text: newsreader,
    ui: radioCanada,
    faces: 'Bricolage Grotesque, Newsreader',
  },
  revue: {
    name: 'Revue',
    display: '"Fraunces", Georgia, serif',
    text: newsreader,
    ui: radioCanada,
    faces: 'Fraunces, Radio Canada',
  },
  registre: {
    name: 'Registre',
    display: '"Geist Mono", ui-monospace, monospace',
    text: newsreader,
    ui: radioCanada,
    faces: 'Geist Mono, Newsreader',
  },
  systeme: { name: 'Système', display: system, text: 'Georgia, serif', ui: system, faces: '—' },
} satisfies Record<Pairing, { name: string; display: string; text: string; ui: string; faces: string }>

export type Pairing = z.infer<typeof NewsletterSettings>['pairing']

export const pairingNames = NewsletterSettings.shape.pairing.options
export const defaultPairing: Pairing = 'gazette'
