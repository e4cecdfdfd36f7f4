import type en from '../en/media.ts'

export default {
  lead: 'Les images de cette newsletter : où elles servent, et la place qu’elles prennent.',
  title: 'Images',
  none: 'Pas encore d’image',
  noneText:
    'Celles que vous mettez dans un texte, les couvertures et les logos figurent ici, avec l’endroit où ils servent.',
  ofNewsletter: 'Cette newsletter',
  ofPerson: 'Ajoutées par vous, toutes newsletters confondues',
  bytes: '{{used, number}} sur {{most, number}} Mo',
  files: '{{used, number}} sur {{most, number}} images',
  size: '{{width, number}} × {{height, number}}',
  logo: 'Le logo de cette newsletter',
  ofSponsor: 'L’annonce de {{sponsor}}',
  out: 'déjà parue',
  draft: 'pas encore parue',
  inRevision: 'dans une version plus ancienne',
  unused: 'Ne sert nulle part ; disparaîtra d’elle-même le {{day}}.',
  delete: 'Supprimer',
  deleteOf: 'Supprimer {{name}}',
  deleteAsk: 'Supprimer {{name}} ?',
  loss: 'Elle ne sert nulle part. Elle disparaît aussitôt, sans retour possible.',
  lossUsed:
    'Elle sert dans des textes qui n’ont pas encore paru, ou dans des versions plus anciennes. Il y aura une place vide, sans retour possible.',
  lossOut:
    'Elle est parue : sur les pages et dans les messages, il y aura désormais une place vide. Personne ne pourra la ramener, et les copies que gardent messageries et navigateurs peuvent rester un an.',
} satisfies typeof en
