import type en from '../en/advertise.ts'

export default {
  will: 'Ici, vous proposerez des emplacements dans vos publications à des annonceurs et créerez des campagnes qui amènent des lecteurs ; cette page n’est pas encore construite.',
} satisfies typeof en
