export default {
  archive: 'Archive',
  plans: 'Plans',
  subscribe: 'Subscribe',
  leave: 'Unsubscribe',
  yourData: 'Your data',
  printedWith: 'Printed with Tirage',
  skip: 'Skip to the text',
  caught: {
    title: 'Your request is here',
    text: 'This server cannot send email yet. If the newsletter is yours, whatever would have been sent waits in your outbox.',
    read: 'Open the outbox',
  },
  error: {
    missing: {
      title: 'There is nothing here',
      text: 'The address may be incomplete, or what stood here has moved.',
    },
    broken: {
      title: 'Something broke on our side',
      text: 'It is not your doing, and nothing was lost. Try again in a moment.',
    },
    refused: 'That did not work',
    away: {
      title: 'One moment, please',
      read: 'This page cannot be fetched right now. Nothing is lost: open it again in a moment.',
      subscribe:
        'Your address could not be noted just now, and nothing was stored. Go back, it is still in the form, and try again in a moment.',
      confirm: 'That could not be noted just now. Your link stays good: open it again in a moment.',
      leave: 'That could not be noted just now. This address works for ever: open it again in a moment.',
    },
  },
  navigation: 'Pages of {{newsletter}}',
}
