/** Subscribers who read what they paid for, on their devices. */
export default {
  signIn: {
    link: 'Sign in',
    title: 'Read {{newsletter}}',
    text: 'No password. We send a link to your address, and it opens what your plan opens on this device.',
    button: 'Send me the link',
    limit: 'There were many requests. Nothing was sent: try again in a while.',
  },
  sent: {
    title: 'Look in your inbox',
    text: 'If this address has a subscription to {{newsletter}}, a link is on its way to it. It works for an hour, on one device.',
    again: 'Another address',
  },
  open: {
    title: 'Read on this device',
    text: 'This link is for {{address}}. It opens {{newsletter}} here, and this device is remembered.',
    button: 'Read on this device',
  },
  full: {
    title: 'It is read on enough devices already',
    text: 'The plan of {{address}} is for so many devices at a time. We can send a link to that address: whoever opens it reads here, and the device that was used least recently is signed out.',
    button: 'Send the link to {{address}}',
  },
  over: {
    title: 'This link has done its work',
    text: 'It was too old, or it was never one. Ask for another: it takes a minute.',
    action: 'Ask for a link',
    button: 'Ask for a link',
  },
  here: {
    title: 'You are signed in to read',
    text: 'As {{address}}, on this device.',
    plans: 'What you read',
    free: 'What everybody reads. You have no plan at the moment.',
    until: '{{plan}}, until {{date}}',
    forGood: '{{plan}}, for good',
    devices: 'Where you read',
    thisDevice: '{{device}}, this device',
    unknownDevice: 'A device',
    lastSeen: 'Last read on {{date}}',
    end: 'Sign out',
    endThis: 'Sign out on this device',
    archive: 'To the publications',
  },
  notice: {
    ended: 'That device is signed out.',
  },
  mail: {
    subject: 'Your link to read {{newsletter}}',
    preheader: 'It opens on the device where you open it. It works for an hour.',
    title: 'Here is your link',
    text: 'Open it on the device where you want to read {{newsletter}}.',
    action: 'Read on this device',
    after:
      'The link works for {{count}} minutes. If it was not you who asked, leave this email alone: nothing happens.',
  },
  plans: {
    title: 'Plans of {{newsletter}}',
    none: 'Nothing is sold here at the moment. Everything can be read for free.',
    period: 'How often you pay',
    currency: 'Currency',
    per: { year: 'By the year', month: 'By the month', once: 'Once' },
    each: { year: 'a year', month: 'a month', once: 'once, for good' },
    onceFor_one: 'once, for a month',
    onceFor_other: 'once, for {{count}} months',
    aMonth: ', which is {{sum}} a month',
    orMore: ', or more if you like',
    free: 'Free',
    otherCurrency: 'Not in this currency',
    subscribe: 'Subscribe for free',
    trial_one: 'The first day is free.',
    trial_other: 'The first {{count}} days are free.',
    full: 'All places are taken at the moment.',
    taxInside: 'Tax is included.',
    outside: {
      title: 'By bank transfer, cash or invoice',
      write:
        'Write to {{newsletter}} and say which plan you would like. You are told how to pay, and what you pay for opens with your address.',
      answer:
        'Answer any mail of {{newsletter}} and say which plan you would like. You are told how to pay, and what you pay for opens with your address.',
    },
  },
}
