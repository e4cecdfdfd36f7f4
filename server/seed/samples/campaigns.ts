import { frenchTypography } from '../document-builder.ts'
import type { Visited } from '../visitors.ts'

interface Words {
  question: string
  offer: string
  yes: string
  afterYes: string
}

export interface SampleCampaign {
  id: string
  name: string
  /** In days from now; null while nobody has said when it begins. */
  from: number | null
  until: number | null
  withdrawn?: number
  /** `reached`: as many as have said yes. */
  cap: number | 'reached' | null
  accent: string | null
  sponsor: { name: string; address: string; privacy: string } | null
  /** What it gives subscribers to: the other newsletter of the demo. */
  toOther?: true
  words: { en: Words; fr: Words }
  /** With their visits by people and by programs, and with those who said yes. */
  places: { link: string; name: string; by: Visited['by']; people: number; programs: number; yes: number }[]
}

const french = (words: Words): Words => ({
  question: frenchTypography(words.question),
  offer: frenchTypography(words.offer),
  yes: frenchTypography(words.yes),
  afterYes: frenchTypography(words.afterYes),
})

export const sampleCampaigns: SampleCampaign[] = [
  {
    ...{ id: 'KepRyeBox9', name: 'Kelp & Rye, winter box', from: -26, until: 9, cap: 150, accent: '#3f5a1c' },
    sponsor: {
      name: 'Kelp & Rye Ltd',
      address: '14 Shandon Street, Cork',
      privacy: 'https://kelpandrye.example/privacy',
    },
    words: {
      en: {
        question: 'Shall we introduce you to Kelp & Rye?',
        offer:
          'A bakery in Cork that works with seaweed flour. One box to taste in January, then a letter at each season. Nothing between the two.',
        yes: 'Yes, pass on my address',
        afterYes: 'Thank you. Kelp & Rye will write within a week. Changed your mind? One press undoes it.',
      },
      fr: french({
        question: 'Faire connaissance avec Kelp & Rye ?',
        offer:
          'Une boulangerie de Cork qui travaille la farine d’algue. Un coffret à goûter en janvier, puis une lettre à chaque saison. Rien entre les deux.',
        yes: 'Oui, transmettre mon adresse',
        afterYes: 'Merci. Kelp & Rye vous écrira dans la semaine. Vous changez d’avis ? Un geste suffit.',
      }),
    },
    places: [
      { link: 'kelp-rye', name: 'Kelp & Rye, winter box', by: 'web', people: 38, programs: 21, yes: 7 },
      { link: 'kr-web', name: 'Under the text, on the web', by: 'web', people: 204, programs: 96, yes: 41 },
      { link: 'kr-card', name: 'Printed card', by: 'paper', people: 57, programs: 2, yes: 23 },
    ],
  },
  {
    ...{ id: 'WaLksAtLow', name: 'Walks at low water', from: -60, until: null, cap: null, accent: null, sponsor: null },
    words: {
      en: {
        question: 'Shall we tell you of our walks?',
        offer: 'Six times a year we walk out at low water, twenty at a time. Whoever asks is told first.',
        yes: 'Yes, tell me first',
        afterYes: 'You will hear of the next walk before everybody else.',
      },
      fr: french({
        question: 'Vous prévenir de nos sorties ?',
        offer: 'Six fois l’an, nous sortons à marée basse, à vingt. Qui le demande est prévenu le premier.',
        yes: 'Oui, prévenez-moi',
        afterYes: 'Vous saurez avant tout le monde quand est la prochaine sortie.',
      }),
    },
    places: [
      { link: 'walks', name: 'Walks at low water', by: 'web', people: 61, programs: 17, yes: 12 },
      { link: 'walks-foot', name: 'At the foot of some letters', by: 'mail', people: 388, programs: 240, yes: 96 },
    ],
  },
  {
    ...{ id: 'SupperXmas', name: 'The winter supper', from: -34, until: 20, cap: 'reached', accent: '#7a2e1d' },
    sponsor: null,
    words: {
      en: {
        question: 'Will you eat with us on a winter evening?',
        offer:
          'One long table in the old auction hall: soup, bread, cider, and the harbour master’s stories. The Saturday is chosen once the list is closed.',
        yes: 'Yes, keep me a chair',
        afterYes: 'Your chair is kept. The day, the hour and the address come by mail two weeks before.',
      },
      fr: french({
        question: 'Dînerez-vous avec nous un soir d’hiver ?',
        offer:
          'Une longue table dans l’ancienne criée : de la soupe, du pain, du cidre, et les histoires du maître de port. Le samedi sera choisi une fois la liste close.',
        yes: 'Oui, gardez-moi une chaise',
        afterYes: 'Votre chaise est gardée. Le jour, l’heure et l’adresse vous parviendront deux semaines avant.',
      }),
    },
    places: [
      { link: 'supper', name: 'The winter supper', by: 'social', people: 44, programs: 12, yes: 6 },
      { link: 'supper-foot', name: 'At the foot of one letter', by: 'mail', people: 92, programs: 61, yes: 18 },
    ],
  },
  {
    ...{ id: 'TideTab1e7', name: 'The tide table, by post', from: -110, until: -70, cap: null, accent: null },
    sponsor: null,
    words: {
      en: {
        question: 'Shall we post you the tide table?',
        offer: 'A year of tides on one sheet. We print it once, in September, for those who have asked.',
        yes: 'Yes, put me on the list',
        afterYes: 'You are on the list. We ask for your postal address when the sheets are printed.',
      },
      fr: french({
        question: 'Vous envoyer l’annuaire des marées ?',
        offer: 'Une année de marées sur une feuille. Nous l’imprimons une fois, en septembre, pour qui l’a demandé.',
        yes: 'Oui, mettez-moi sur la liste',
        afterYes: 'Vous êtes sur la liste. Nous vous demanderons votre adresse postale quand les feuilles seront là.',
      }),
    },
    places: [
      { link: 'tide-table', name: 'The tide table, by post', by: 'web', people: 73, programs: 34, yes: 9 },
      { link: 'tide-poster', name: 'Poster at the harbour office', by: 'paper', people: 41, programs: 1, yes: 11 },
    ],
  },
  {
    ...{
      id: 'BrumeGLass',
      name: 'Brume, binoculars',
      from: -52,
      until: -10,
      withdrawn: -43,
      cap: 80,
      accent: '#1f4e79',
    },
    sponsor: {
      name: 'Brume Optique',
      address: '3 rue du Môle, Concarneau',
      privacy: 'https://brume.example/confidentialite',
    },
    words: {
      en: {
        question: 'May Brume write to you about binoculars?',
        offer: 'Two letters a year from a workshop in Concarneau that repairs old binoculars, and sells a few.',
        yes: 'Yes, they may write',
        afterYes: 'Brume has your address now, and nothing else of you.',
      },
      fr: french({
        question: 'Brume peut-il vous écrire sur les jumelles ?',
        offer:
          'Deux lettres par an d’un atelier de Concarneau qui répare les vieilles jumelles, et en vend quelques-unes.',
        yes: 'Oui, qu’on m’écrive',
        afterYes: 'Brume a maintenant votre adresse, et rien d’autre de vous.',
      }),
    },
    places: [{ link: 'brume', name: 'Brume, binoculars', by: 'web', people: 33, programs: 19, yes: 5 }],
  },
  {
    ...{ id: 'SaiLLoft8x', name: 'Open doors at the sail loft', from: null, until: null, cap: 60, accent: null },
    sponsor: null,
    words: {
      en: {
        question: 'Would you come to see how sails are cut?',
        offer: 'In spring the sail loft of Douarnenez opens its doors to us for an afternoon. Sixty people, no more.',
        yes: 'Yes, I would come',
        afterYes: 'We write to you as soon as the day is known.',
      },
      fr: french({
        question: 'Viendriez-vous voir comment on taille une voile ?',
        offer:
          'Au printemps, la voilerie de Douarnenez nous ouvre ses portes un après-midi. Soixante personnes, pas une de plus.',
        yes: 'Oui, je viendrais',
        afterYes: 'Nous vous écrirons dès que le jour sera connu.',
      }),
    },
    places: [{ link: 'sail-loft', name: 'Open doors at the sail loft', by: 'web', people: 0, programs: 0, yes: 0 }],
  },
]

/** Whoever says yes is a subscriber of the other newsletter too, so its yeses are those subscribers. */
export const sampleForOther: SampleCampaign = {
  ...{ id: 'QuartToo42', name: 'Le Quart d’heure, for those who read French', from: -20, until: null, cap: null },
  ...{ accent: null, sponsor: null, toOther: true },
  words: {
    en: {
      question: 'Do you read French?',
      offer: 'Then you may like our other letter: an object, a place, a habit, every other Wednesday at noon.',
      yes: 'Yes, send me that one too',
      afterYes: 'The next one comes on a Wednesday, at noon.',
    },
    fr: french({
      question: 'Encore un quart d’heure ?',
      offer:
        'Notre autre lettre regarde un objet, un lieu, une habitude d’un peu trop près, un mercredi sur deux à midi.',
      yes: 'Oui, envoyez-la-moi aussi',
      afterYes: 'La prochaine arrive un mercredi, à midi.',
    }),
  },
  places: [
    {
      link: 'quart-too',
      name: 'Le Quart d’heure, for those who read French',
      by: 'mail',
      people: 130,
      programs: 71,
      yes: 0,
    },
  ],
}
