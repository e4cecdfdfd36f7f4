export default {
  overview: 'Overview',
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
  works: {
    title: 'Works now, without Stripe',
    aside: 'Nothing below needs a key',
    plans: { title: 'Plans and prices', text: 'Free and paid, in two languages, in any of 25 currencies.' },
    outside: { title: 'Paid outside', text: 'Bank transfer, cash, an institution’s invoice.' },
    gifts: { title: 'Gifts and complimentary', text: 'From you, for as long as you say.' },
    entering: { title: 'Three ways in', text: 'By hand, from a CSV, or by API.' },
  },
}
