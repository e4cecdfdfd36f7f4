/** Gifts that are bought by card: their form, their mails, and what the owner sees of them. */
export default {
  give: 'Give this as a gift',
  giftable: 'Can be bought by card as a gift',
  giftableHint:
    'Readers can give somebody else a year of it or, at a price that is paid once, the months that it covers.',
  page: {
    title: 'Give “{{plan}}”',
    text_one: 'A month of {{newsletter}} for somebody else: {{sum}}, paid once. It ends by itself.',
    text_other: '{{count}} months of {{newsletter}} for somebody else: {{sum}}, paid once. It ends by itself.',
    email: 'Your email address',
    recipient: 'Email address of the person who gets it (empty: you pass the code on)',
    name: 'Their name (if you like)',
    day: 'The day on which we write to them (empty: at once)',
    message: 'Your words to them (if you like)',
    kept: 'You get the code by email once you have paid. We write to the other address for this gift only, and forget it when the gift is taken, or after 90 days.',
    problem: {
      recipient: 'Look at this address once more. A message or a day needs an address to go to.',
      name: 'A name has up to 80 letters, and no link.',
      message: 'Up to 500 characters, and no link.',
      day: 'Choose a day from today on, a year away at most.',
    },
  },
  done: {
    title: 'Thank you',
    text: 'As soon as the payment has come, the code of your gift is on its way to you by email.',
    textTest: 'This was a test, and no card was charged. The code of the gift comes by email all the same.',
    plans: 'Back to the plans',
  },
  mail: {
    paid: 'You paid {{sum}}.',
    for: 'For {{name}}.',
    words: 'Whoever gives it to you writes:',
    wordsFor: 'For {{name}}. Whoever gives it to you writes:',
    buyer: {
      subject: 'The gift that you bought: “{{plan}}” of {{newsletter}}',
      preheader: 'The code, and what you paid.',
      title: 'Your gift is ready',
      text_one:
        'The code {{code}} opens “{{plan}}” of {{newsletter}} for a month. It works once, for whoever uses it first.',
      text_other:
        'The code {{code}} opens “{{plan}}” of {{newsletter}} for {{count}} months. It works once, for whoever uses it first.',
      action: 'The page of the gift',
      after: 'Keep this email: the code stays good until somebody takes it.',
    },
    recipient: {
      subject: 'A gift for you: “{{plan}}” of {{newsletter}}',
      preheader: 'Somebody thought of you.',
      title: 'A gift for you',
      text_one: 'You have been given “{{plan}}” of {{newsletter}} for a month. Your code is {{code}}.',
      text_other: 'You have been given “{{plan}}” of {{newsletter}} for {{count}} months. Your code is {{code}}.',
      action: 'Take my gift',
      after:
        'Your address was given to us for this email only. If you do not want the gift, leave it alone: nothing happens.',
    },
  },
  list: {
    by: 'Bought by {{email}}',
    bySomebody: 'Bought by card',
    test: 'Test, no money',
    returned: 'The money went back',
    waiting: 'To be mailed on {{date}} to {{email}}',
    mailed: 'Mailed on {{date}}',
    notMailed: 'Not mailed yet',
    again: 'Mail now',
    againOne: 'Mail the gift {{code}} now',
    queued: 'It is on its way.',
  },
}
