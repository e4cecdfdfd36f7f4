export default {
  lead: 'Ask your readers a question, sell places to sponsors, trade recommendations with other newsletters, and make short links for what you print or post.',
  unconfirmed: 'Sponsors’ requests are not mailed to you yet',
  last: 'Your last short links',
  openRecommendations: 'All recommendations',
  exchanged: 'In 90 days, readers who confirmed with others: {{given}}. Readers who confirmed here: {{received}}.',
  all: 'All short links',
  charts: {
    revenue: 'Sponsor revenue by month',
    clicks: 'Clicks on your links, 30 days',
    places: 'Placements and links with the most clicks, 30 days',
    yeses: 'People who confirmed their yes, 90 days',
  },
  money: { month: 'Month', booked: 'Booked', paid: 'Paid', givenBack: 'Given back' },
  reports: 'What ran',
  live: 'Live',
  final: 'Final',
  notCounted: 'Not counted',
  steps: {
    link: {
      title: 'A short link',
      text: 'For a poster, a profile or another newsletter: a short address with a QR code to print, which can lead elsewhere later.',
      action: 'Make a link',
    },
    placement: {
      title: 'A place for sponsors',
      text: 'Where they appear, how much they may say, and what it costs. Bookings then get a calendar, and no day is sold twice.',
      action: 'Make a placement',
    },
    campaign: {
      title: 'A question to your readers',
      text: 'An offer with a page of its own, and a yes or a no: whoever says yes gets a receipt. For a sponsor, only confirmed addresses are passed on.',
      action: 'Ask your readers',
    },
  },
}
