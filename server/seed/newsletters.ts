import type { Language } from '../languages.ts'
import { frenchTypography } from './document-builder.ts'
import type { Samples } from './publications.ts'
import { autumn } from './samples/low-water-autumn.ts'
import { drafts, next } from './samples/low-water-desk.ts'
import { summer } from './samples/low-water-summer.ts'
import { drafts as quartDrafts, sent as quartSent } from './samples/quart-d-heure.ts'
import type { Usual } from './usual-times.ts'

export interface NewsletterPlan {
  id: string
  name: string
  /** Of the random numbers. */
  seed: number
  subscribers: number
  /** How long it has existed. */
  weeks: number
  /** When the radio mentioned it, if ever. */
  radioDaysAgo: number | null
  /** The share of subscribers who read French, from 0 to 1. */
  frenchShare: number
  usual: Usual
  /** Whether it has plans, and subscribers who pay. */
  sells: boolean
  samples: Samples
  settings: {
    handle: string
    description: string
    sender_name: string
    sender_address: string
    postal_address: string
    language: Language
    timezone: string
    currency: 'eur'
    accent: string
    pairing: 'gazette' | 'revue'
  }
}

const address = 'Kerbrat Éditions, 4 quai de la Criée, 29770 Audierne'

export const lowWater = (subscribers: number): NewsletterPlan => ({
  id: 'LowWater7x',
  name: 'Low Water',
  seed: 1871,
  subscribers,
  weeks: 30,
  radioDaysAgo: 40,
  frenchShare: 0.38,
  usual: { weekday: 6, hour: 7 },
  sells: true,
  samples: { sent: [...autumn, ...summer], scheduled: [next], drafts },
  settings: {
    handle: 'low-water',
    description:
      'A letter about the edge of the sea: harbours, tide tables, and the people who look after them. Saturdays at seven.',
    sender_name: 'Inès Kerbrat',
    sender_address: 'ines@lowwater.example',
    postal_address: address,
    language: 'en',
    timezone: 'Europe/Paris',
    currency: 'eur',
    accent: '#0C5C5A',
    pairing: 'gazette',
  },
})

export const quartDHeure = (subscribers: number): NewsletterPlan => ({
  id: 'QuartHeure',
  name: 'Le Quart d’heure',
  seed: 921,
  subscribers,
  weeks: 14,
  radioDaysAgo: null,
  frenchShare: 0.94,
  usual: { weekday: 3, hour: 12 },
  sells: false,
  samples: { sent: quartSent, scheduled: [], drafts: quartDrafts },
  settings: {
    handle: 'quart-d-heure',
    description: frenchTypography(
      'Un objet, un lieu, une habitude, regardés d’un peu trop près. Un mercredi sur deux, à midi.',
    ),
    sender_name: 'Inès Kerbrat',
    sender_address: 'ines@quart-dheure.example',
    postal_address: address,
    language: 'fr',
    timezone: 'Europe/Paris',
    currency: 'eur',
    accent: '#9A3412',
    pairing: 'revue',
  },
})
