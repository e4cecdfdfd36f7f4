export default {
  will: 'Here you will offer places in your publications to sponsors, and make opt-in campaigns that bring readers; it is not built yet.',
}
