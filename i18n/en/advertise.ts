export default {
  overview: 'Overview',
  lead: 'Sponsors have their calendar, and short links count who follows what you put out. Opt-in campaigns are not built yet.',
  last: 'Your last short links',
  all: 'All short links',
}
