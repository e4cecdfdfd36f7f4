import type { Language } from '../languages.ts'
import type { Random } from './random.ts'

export interface Person {
  name: string | null
  email: string
  language: Language
}

const given = {
  fr: 'Adèle Amandine Anouk Antoine Armelle Bastien Bénédicte Brieuc Camille Cécile Clément Corentin Élise Émile Estelle Étienne Fabien Florence Gaëlle Gildas Hélène Hugo Inès Jeanne Joséphine Julien Klervi Léa Loïc Louise Lucien Maël Malo Manon Marguerite Mathilde Morgane Nathan Nolwenn Odile Pascal Paulin Perrine Quentin Rozenn Sacha Simon Solène Tanguy Théo Tristan Valentine Victor Yann Yves Zoé',
  en: 'Abigail Alasdair Alice Amos Beatrice Bridget Callum Catherine Clara Connor Daniel Declan Edith Eleanor Esther Fergus Fiona Frances George Grace Hamish Harriet Imogen Iris Isla Jacob Joan Jonah Josephine Kit Leonard Lorna Lucy Margaret Martha Maud Morag Nathaniel Niamh Oliver Oscar Patrick Philippa Rhys Rosalind Rowan Ruth Samuel Silas Tamsin Thomas Una Violet Walter Winifred',
} as const

const family = {
  fr: 'Abgrall Aubry Bellec Berthou Bonnet Bourdon Cadiou Carré Chevalier Colin Cornec Dantec Delmas Duval Fontaine Galland Garnier Girard Guéguen Guillou Hamon Hervé Jaouen Jézéquel Kerbiriou Kerouanton Lacroix Lambert Laurent Le_Bihan Le_Bras Le_Gall Le_Goff Le_Roux Lemoine Marchand Masson Mercier Moreau Morvan Nédélec Olivier Perrot Petit Picard Quéré Renaud Rivoal Rousseau Salaün Tanguy Tessier Vasseur Vidal',
  en: 'Ainsworth Ashby Baines Barlow Blackwood Brennan Calder Carrick Cole Crowther Dalgleish Dunbar Eastwood Fairbairn Farrell Fenwick Fletcher Gallagher Garrick Hale Harker Heron Holloway Hurst Ingram Jardine Keane Kerr Lockwood Lyle Mackay Marsh Mercer Milne Nash Norwood Oakes Ogilvie Penrose Pike Quigley Ramsay Rigby Sayer Selkirk Shaw Stroud Tait Thorne Treloar Underhill Wainwright Whitlock Yardley',
} as const

const hosts = {
  fr: ['boite.example', 'courriel.example', 'malle-poste.example', 'granit.example', 'rade.example', 'atelier.example'],
  en: [
    'postbox.example',
    'inkwell.example',
    'harbourmail.example',
    'longshore.example',
    'mailroom.example',
    'kiln.example',
  ],
} as const

const words = (list: string) => list.split(' ').map((word) => word.replace('_', ' '))
const people = {
  fr: { given: words(given.fr), family: words(family.fr) },
  en: { given: words(given.en), family: words(family.en) },
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/**
 * A person whose address cannot exist: its domain is below `.example` (RFC 2606). `order` keeps addresses different.
 */
export function randomPerson(random: Random, order: number, frenchShare: number): Person {
  const language = random.happens(frenchShare) ? 'fr' : 'en'
  const first = random.pick(people[language].given)
  const last = random.pick(people[language].family)
  const shapes = [
    `${plain(first)}.${plain(last)}`,
    `${plain(first)[0]}${plain(last)}`,
    `${plain(first)}${plain(last)[0]}`,
  ]
  return {
    name: random.happens(0.72) ? `${first} ${last}` : null,
    email: `${random.pick(shapes)}${order}@${random.pick(hosts[language])}`,
    language,
  }
}
