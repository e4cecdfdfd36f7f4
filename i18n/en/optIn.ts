/** Opt-in campaigns: what readers are shown and mailed. What owners see is in `campaigns`. */
export default {
  no: 'No thanks',
  notYou: 'Not you?',
  forAddress: 'This is for {{address}}.',
  forWhom: 'This is for {{address}}, who reads {{newsletter}}.',
  nothingYet: 'Nothing happens until you say yes, and you can take it back.',
  nothingYetTyped: 'We write to this address, and nothing happens until you confirm there. You can take it back.',
  unchanged: 'Your subscription to {{newsletter}} stays the same, whatever you answer.',
  follows: {
    newsletter: 'Your yes also subscribes you to {{newsletter}}, unless you are subscribed already.',
    sponsor: 'Your yes does not subscribe you to {{newsletter}}.',
    other:
      'Your yes subscribes you to {{other}}. Your subscription to {{newsletter}} stays the same, whatever you answer.',
    otherOnly: 'Your yes subscribes you to {{other}}, and not to {{newsletter}}.',
  },
  agreed: 'With your yes you say: “{{words}}”',
  whoAndHowLong: 'To whom, and for how long',
  until: 'Your yes holds until you say stop, to {{who}} or to {{newsletter}}.',
  untilTakenBack: 'You can take your yes back at any time.',
  privacy: 'The privacy notice of {{who}}',
  undoWords: 'I take back my yes to: {{question}}',
  passes: {
    sponsor: 'Your address goes to {{who}}, and nothing else does.',
    otherNewsletter: 'Your address goes to {{other}}, a newsletter of this same house, and nothing else does.',
    newsletter: 'Your yes and your address go to {{newsletter}}. Nothing is passed on to anybody else.',
  },
  passed: {
    title: 'What would be passed on',
    address: 'Your address',
    thisAddress: 'Your address, {{address}}',
    name: 'Your name',
    reading: 'What you read',
    payments: 'Your plan and payments',
    yes: 'Yes',
    no: 'No',
  },
  receipt: {
    title: 'Your receipt',
    text: 'You get an exact copy of what you agreed to by email, with a link that takes it back.',
  },
  said: {
    title: 'You said yes',
    text: 'This yes is from {{address}}. {{newsletter}} has sent a receipt there.',
    from: 'This yes is from {{address}}.',
    caught:
      'This yes is from {{address}}. This server cannot send email yet. If {{newsletter}} is yours, the receipt waits in your outbox.',
    undo: 'Take it back',
    read: 'What you said yes to',
  },
  notice: {
    asked: {
      title: 'Look in your inbox',
      text: 'A link is on its way to this address, if it has not said yes already and takes our mail. Open it within a week and press the button there, and your yes counts.',
      action: 'Another address',
    },
    no: {
      title: 'As you like',
      text: 'Nothing was passed on and nothing was noted. Thank you for looking.',
      action: 'Read on',
    },
    undone: {
      title: 'Taken back',
      text: 'Your yes does not count any more.',
      action: 'Read on',
    },
  },
  undoneMeans: {
    newsletter: 'A subscription to {{who}} that began with it has ended; one from before goes on.',
    never: 'Your address is no longer in the list for {{who}}.',
    shared:
      'Your address is no longer in the list for {{who}}, who also finds there that you took it back. Should they write to you all the same, tell them to stop.',
    closed:
      'Your address is no longer in the list for {{who}}, who may have fetched it before. Should they write to you, tell them to stop.',
  },
  closed: {
    soon: {
      title: 'Not yet',
      text: 'This has not begun. Come back in a little while.',
      from: 'This begins on {{date}}. You are welcome then.',
    },
    full: {
      title: 'All places are taken',
      text: 'A place may become free again, when somebody takes their yes back.',
    },
    ended: { title: 'This is over', text: 'It has come to its end. Thank you for your interest.' },
    withdrawn: {
      title: 'This was withdrawn',
      text: '{{newsletter}} does not ask this any more. Whoever said yes can take it back by the link in their receipt.',
    },
    unknown: {
      title: 'There is nothing here',
      text: 'No question has this address. The link may be cut off; look at it once more.',
    },
    read: 'Read {{newsletter}}',
  },
  oldLink: {
    title: 'This link is too old',
    text: 'It is more than a week old, or part of it is missing. Nothing happened. You can ask for another.',
    again: 'Ask again',
  },
  problem: {
    limit: 'Too many tries in a short time. Try again in a few minutes.',
    proof: 'Very many people are asking at this moment. Press the button once more, when your browser is ready.',
    changed: 'The words have changed meanwhile. Read them once more: your yes was not counted yet.',
    notYet: 'This newsletter cannot send mail yet. Try again another day.',
    refused: 'Mail to this address was stopped here, so it cannot say yes.',
  },
  band: {
    preview: 'A preview: the buttons change nothing, and nobody is counted.',
    test: 'From a test mail: the buttons change nothing, and nobody is counted.',
  },
  list: {
    title: 'Who said yes: {{campaign}}',
    text: 'For {{sponsor}}, from {{newsletter}}: the addresses whose owners confirmed, each once. The file always has them all.',
    confirmed: 'Confirmed addresses (CSV)',
    undoneText:
      'Whoever took their yes back is not in this file any more, and must not be written to. So download it anew each time before you write, and use no older copy.',
    keptText:
      'You keep a list of your own? A second file says whom to strike from it, without giving their addresses once more: it has a fingerprint of each (SHA-256, of the address in small letters) and when the yes was taken back, so that the person who looks after your list can find them.',
    undone: 'Taken back (CSV)',
    closed: {
      title: 'This address is closed',
      text: '{{newsletter}} closed it, or its time is over. Ask for a new one if you still need to know who said yes, and write to nobody from an older copy: some may have taken their yes back.',
    },
    until: 'This address works until {{date}}, unless it is closed before.',
  },
  mail: {
    ask: {
      subject: 'Please confirm: {{question}}',
      title: '{{question}}',
      preheader: 'One press, and your yes counts.',
      text: 'Somebody typed this address at {{newsletter}} to say yes. If it was you, read what it means and press the button there.',
      action: 'Read and confirm',
      after: 'If it was not you, do nothing: nothing was noted and nothing is passed on.',
    },
    receipt: {
      subject: 'You said yes: {{question}}',
      title: 'You said yes',
      preheader: 'What you agreed to, word for word.',
      text: 'This is what you agreed to at {{newsletter}}, word for word:',
      action: 'See it, or take it back',
      after: 'If it was not you, take it back there: one press is enough.',
    },
  },
}
