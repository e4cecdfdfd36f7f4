export default {
  image: 'Image',
  video: 'Video',
  watch: 'Watch: {{title}}',
  named: '{{name}}: {{value}}',
  links: 'Links',
  table: 'Table',
  ownNotice: 'From {{name}}',
  note: 'Note',
  tip: 'Tip',
  warning: 'Take care',
}
