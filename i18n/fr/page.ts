import type en from '../en/page.ts'

export default {
  archive: 'Archives',
  subscribe: 'S’abonner',
  yourData: 'Vos données',
  otherLanguage: 'English',
  printedWith: 'Imprimé avec Tirage',
  skip: 'Aller au texte',
  navigation: 'Pages de {{newsletter}}',
} satisfies typeof en
