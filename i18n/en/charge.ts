export default {
  lead: 'Paid subscriptions: what you sell, who has it, and what is due.',
  change: 'Change',
  begin: 'Sell your first plan',
  beginText:
    'Give it a name, a promise and a price. People who pay you by bank transfer or in cash can read the same day.',
  beginPlan: 'Make a plan',
  due: {
    title: 'What is due',
    none: 'Nothing: no subscription ends within 30 days, and no payment has failed.',
    ending: 'Ends within 30 days',
    failed: 'Payment failed',
  },
  subscriptions: {
    which: 'Which subscriptions',
    choice: { all: 'All', ending: 'End soon', failed: 'Payment failed' },
    lead: {
      all: 'Subscriptions of today and of the past, the newest first.',
      ending: 'They end within 30 days and nothing renews them, the next end first.',
      failed: 'Their bank refused a renewal, the oldest first. Test subscriptions are left out.',
    },
    none: 'None',
    nobody: 'Nobody has a subscription yet',
    nobodyText:
      'Enter by hand the people who pay by transfer or in cash, and those you give a plan to. People who buy by card appear here by themselves.',
    noPlanText: 'It begins with a plan: what people get, and what it costs.',
    show: 'Show all {{n}}',
  },
  steps: {
    plan: {
      title: 'A plan with a price',
      text: 'What people get, and what it costs by the month, by the year or once.',
      action: 'Make a plan',
    },
    pay: {
      title: 'A first paid subscription',
      text: 'Enter by hand the people who pay by transfer or in cash: they can read the same day. With Stripe’s keys, people also buy it themselves, by card, with trials and renewals.',
      action: 'Connect Stripe',
      byHand: 'Enter one by hand',
      byHandLater: 'By hand once there is a plan',
    },
    paywall: {
      title: 'A paywall in a publication',
      text: 'In the editor, type “/” on an empty line and choose “Paid subscribers only from here”: what comes after it is for those who pay, on the web, in mails and in the feed.',
      action: 'Write',
    },
    look: {
      title: 'See it as a stranger',
      text: 'What you sell, as anybody finds it. A private window also shows the paywall as strangers see it.',
      action: 'Open the page of plans',
    },
  },
  works: {
    title: 'Works now, without Stripe',
    aside: 'Nothing below needs a key',
    plans: { title: 'Plans and prices', text: 'Free and paid, in two languages, in any of 25 currencies.' },
    outside: { title: 'Paid outside', text: 'Bank transfer, cash, an institution’s invoice.' },
    gifts: { title: 'Gifts and complimentary', text: 'From you, for as long as you say, by hand or by code.' },
    entering: { title: 'Three ways in', text: 'By hand, from a CSV, or by API.' },
  },
}
