export default {
  page: {
    unknown: {
      title: 'This link leads nowhere',
      text: 'There is no such short link here. It may have been cut in two by a mail program: try the whole address again.',
    },
    expired: {
      title: 'This link has had its time',
      text: 'Whoever made it gave it an end, and that has passed.',
    },
    disabled: {
      title: 'This link is no longer in use',
      text: 'Whoever made it has put it out of use. Ask them where to go instead.',
    },
    away: {
      title: 'One moment, please',
      text: 'We cannot look this link up right now. Try again in a moment.',
    },
  },
}
