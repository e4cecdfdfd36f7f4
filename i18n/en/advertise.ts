export default {
  overview: 'Overview',
  lead: 'Short links count who follows what you put out. Sponsorship and opt-in campaigns are not built yet.',
  last: 'Your last short links',
  all: 'All short links',
}
