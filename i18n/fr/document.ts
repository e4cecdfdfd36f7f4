import type en from '../en/document.ts'

export default {
  image: 'Image',
  video: 'Vidéo',
  watch: 'Regarder : {{title}}',
  links: 'Liens',
  table: 'Tableau',
  note: 'Note',
  tip: 'Conseil',
  warning: 'Attention',
} satisfies typeof en
