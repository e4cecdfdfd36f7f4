export default {
  overview: 'Overview',
  will: 'Here you will sell plans to your subscribers and follow what comes in; it is not built yet.',
}
