import type { BookingAct } from '../../sponsorship/bookings/contract.ts'

export const placements = [
  {
    words: {
      en: { name: 'Top', disclosure: 'This letter is supported by' },
      fr: { name: 'En-tête', disclosure: 'Cette lettre est soutenue par' },
    },
    ...({ place: 'top', max_words: 25, lead_days: 5 } as const),
    prices: { eur: 56_000, gbp: 48_000 },
  },
  {
    words: {
      en: { name: 'Middle', disclosure: 'A word from our sponsor' },
      fr: { name: 'Milieu', disclosure: 'Un mot de notre annonceur' },
    },
    ...({ place: 'middle', max_words: 60, lead_days: 5 } as const),
    prices: { eur: 41_000, gbp: 35_000 },
  },
  {
    words: {
      en: { name: 'Classified', disclosure: 'Small ads, paid for' },
      fr: { name: 'Petite annonce', disclosure: 'Petites annonces payées' },
    },
    ...({ place: 'end', max_words: 30, lead_days: 3, seats: 4, takes_image: false } as const),
    prices: { eur: 6_000 },
  },
]

export const texts = {
  almanac: {
    ...{ name: 'Halyard Books', label: 'Order the almanac', target: 'https://halyardbooks.example/almanac' },
    text: 'The almanac that fits a jacket pocket: tide heights for 212 harbours, lights, and one recipe a month.',
  },
  repair: {
    ...{ name: 'Atelier Morvan', label: 'Read the guide', target: 'https://ateliermorvan.example/guide' },
    text: 'We mend nets, sails and what holds them. Our guide to the first ten knots is free.',
  },
  charts: {
    ...{ name: 'Sillon Charts', label: 'See the sheet', target: 'https://sillon.example/audierne' },
    text: 'The coast of Finistère as it is this winter, not as it was in 1911.',
  },
  oilskins: {
    ...{ name: 'Maison Quéré', label: 'See the winter coats', target: 'https://quere.example/hiver' },
    text: 'Cotton waxed by hand in Douarnenez. A coat lasts until somebody inherits it.',
  },
  box: {
    ...{ name: 'Kelp & Rye', label: 'Say yes to a box', target: 'https://kelpandrye.example/' },
    text: 'We bake with seaweed flour in Cork, and would like to send you one box to taste.',
  },
  ledger: {
    ...{ name: 'Port Ledger', label: 'Try it for a month', target: 'https://portledger.example/' },
    text: 'The accounts of small harbours, kept in order: berths, fuel, and who owes what.',
  },
  books: {
    ...{ name: 'Le Phare, librairie', label: 'Our shelves', target: 'https://lephare.example/' },
    text: 'Books about the sea, and nothing else.',
  },
}

/** Who writes for each sponsor. */
const contacts: Record<string, { contact: string; email: string }> = {
  'Maison Quéré': { contact: 'Soizic Quéré', email: 'soizic@quere.example' },
  'Atelier Morvan': { contact: 'Yann Morvan', email: 'yann@ateliermorvan.example' },
  'Kelp & Rye': { contact: 'Aoife Brennan', email: 'aoife@kelpandrye.example' },
  'Le Phare, librairie': { contact: 'Maud Le Bihan', email: 'maud@lephare.example' },
  'Port Ledger': { contact: 'Tom Ashworth', email: 'tom@portledger.example' },
  'Halyard Books': { contact: 'Ruth Okafor', email: 'ruth@halyardbooks.example' },
  'Sillon Charts': { contact: 'Pierre Sillon', email: 'pierre@sillon.example' },
  'Marée Haute Paris': { contact: 'Kévin Lambert', email: 'k.lambert@mareehaute.example' },
  'Salon du Nautisme': { contact: 'Hélène Cadiou', email: 'h.cadiou@salonnautique.example' },
  'North Quay Gin': { contact: 'Isla Petrie', email: 'isla@northquay.example' },
  'Cap Assurances': { contact: 'Bruno Tanguy', email: 'b.tanguy@capassurances.example' },
}

export const contactOf = (sponsor: string) => contacts[sponsor] ?? { contact: '', email: 'bonjour@sponsor.example' }

/** What came to nothing. */
export interface CameToNothing {
  at: 0 | 1
  /** So many publications from now. */
  away: number
  sponsor: string
  language: 'en' | 'fr'
  message: string
  /** When it was asked for, in days before now. */
  asked: number
  acts: { act: BookingAct; actor: 'member' | 'sponsor' | 'system'; daysLater: number; words?: string }[]
}

export const cameToNothing: CameToNothing[] = [
  {
    ...{ at: 0, away: 3, sponsor: 'Marée Haute Paris', language: 'fr', asked: 9 },
    message: 'Nous proposons des paris sur les régates. Votre public nous intéresse beaucoup.',
    acts: [
      {
        ...{ act: 'decline', actor: 'member', daysLater: 1 },
        words: 'Merci de votre franchise. Nous ne prenons pas de paris, quels qu’ils soient. Bon vent !',
      },
    ],
  },
  {
    ...{ at: 1, away: 2, sponsor: 'North Quay Gin', language: 'en', asked: 6 },
    message: 'We make a gin with samphire. Could we have a Saturday before Christmas, if there is one left?',
    acts: [{ act: 'expire', actor: 'system', daysLater: 2 }],
  },
  {
    ...{ at: 0, away: 5, sponsor: 'Salon du Nautisme', language: 'fr', asked: 21 },
    message: 'Le salon ouvre en décembre ; nous aimerions la semaine d’avant.',
    acts: [
      { act: 'accept', actor: 'member', daysLater: 1 },
      { act: 'invoice', actor: 'member', daysLater: 2 },
      {
        ...{ act: 'cancel', actor: 'member', daysLater: 12 },
        words: 'Vous nous avez dit que le salon passe au printemps. Nous en reparlerons en février.',
      },
    ],
  },
  {
    ...{ at: 1, away: 6, sponsor: 'Cap Assurances', language: 'fr', asked: 14 },
    message: 'Nous assurons les petits bateaux. Prenez-vous des textes d’assureurs ?',
    acts: [
      { act: 'accept', actor: 'member', daysLater: 1 },
      { act: 'withdraw', actor: 'sponsor', daysLater: 3, words: 'Notre budget de l’année est épuisé. Pardon !' },
    ],
  },
]
