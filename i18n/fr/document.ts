import type en from '../en/document.ts'

export default {
  image: 'Image',
  video: 'Vidéo',
  watch: 'Regarder\u00A0: {{title}}',
  named: '{{name}}\u00A0: {{value}}',
  links: 'Liens',
  notes: 'Notes',
  noteAt: 'Note {{number}}',
  noteMark: 'note\u00a0{{number}}',
  backToText: 'Retour au texte, note {{number}}',
  table: 'Tableau',
  ownNotice: 'De {{newsletter}}',
  note: 'Note',
  tip: 'Conseil',
  warning: 'Attention',
} satisfies typeof en
