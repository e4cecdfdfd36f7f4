export default {
  image: 'Image',
  video: 'Video',
  watch: 'Watch: {{title}}',
  named: '{{name}}: {{value}}',
  links: 'Links',
  table: 'Table',
  note: 'Note',
  tip: 'Tip',
  warning: 'Take care',
}
