import type en from '../en/charge.ts'

export default {
  overview: 'Vue d’ensemble',
  will: 'Ici, vous vendrez des formules à vos abonnés et suivrez ce qui rentre ; cette page n’est pas encore construite.',
} satisfies typeof en
