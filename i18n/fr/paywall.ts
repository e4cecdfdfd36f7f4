import type en from '../en/paywall.ts'

export default {
  title: 'La suite est réservée aux abonnés payants',
  read_one: 'Une minute lue',
  read_other: '{{count}} minutes lues',
  left_one: 'encore une',
  left_other: 'encore {{count}}',
  leftWithPictures_one: '{{left}}, avec une image',
  leftWithPictures_other: '{{left}}, avec {{count}} images',
  text_zero: 'Elle est payée par celles et ceux qui la lisent.',
  text_one: 'Encore une minute de lecture, payée par celles et ceux qui la lisent.',
  text_other: 'Encore {{count}} minutes de lecture, payées par celles et ceux qui les lisent.',
  subscribe: 'Voir les formules',
  notForSale: 'Aucune formule qui l’ouvre n’est proposée pour le moment.',
  paid: 'Vous payez déjà ?',
  readOn: 'Lire la suite',
} satisfies typeof en
