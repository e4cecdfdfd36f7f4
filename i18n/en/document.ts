export default {
  image: 'Image',
  video: 'Video',
  watch: 'Watch: {{title}}',
  links: 'Links',
  table: 'Table',
  note: 'Note',
  tip: 'Tip',
  warning: 'Take care',
}
