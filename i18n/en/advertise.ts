export default {
  overview: 'Overview',
  lead: 'Sponsors have their calendar, newsletters recommend each other, and short links count who follows what you put out. Opt-in campaigns are not built yet.',
  last: 'Your last short links',
  all: 'All short links',
  steps: {
    link: {
      title: 'A short link',
      text: 'For a poster, a profile or another newsletter: it counts who follows it, and its QR code can be printed.',
      action: 'Make a link',
    },
    placement: {
      title: 'A place for sponsors',
      text: 'Where they appear, how much they may say, and what it costs. Bookings then have a calendar, and no day is sold twice.',
      action: 'Make a placement',
    },
  },
}
