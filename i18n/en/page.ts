export default {
  archive: 'Archive',
  subscribe: 'Subscribe',
  yourData: 'Your data',
  otherLanguage: 'Français',
  printedWith: 'Printed with Tirage',
  skip: 'Skip to the text',
  navigation: 'Pages of {{newsletter}}',
}
