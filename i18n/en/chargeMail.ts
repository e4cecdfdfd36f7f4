/** What subscribers are told when an owner changes what they pay for. */
export default {
  cancelled: {
    period_end: {
      subject: 'Your “{{plan}}” of {{newsletter}} will not be renewed',
      title: 'It ends on {{date}}',
      preheader: 'You can read until then, and nothing more is charged.',
      text: '{{newsletter}} has cancelled your “{{plan}}”. You can read everything until {{date}}, as you have paid for it. Nothing more will be charged, and there is nothing you need to do.',
      action: 'Open my page',
      after: 'If you have a question, reply to this email.',
    },
    now: {
      subject: 'Your “{{plan}}” of {{newsletter}} has ended',
      title: 'It has ended',
      preheader: 'Nothing more is charged.',
      text: '{{newsletter}} has ended your “{{plan}}” today. Nothing more will be charged, and there is nothing you need to do. What is free still comes to you as before.',
      action: 'Open my page',
      after: 'If you have a question, reply to this email.',
    },
  },
  price: {
    rise: {
      subject: 'From {{date}}, your “{{plan}}” of {{newsletter}} costs {{becomes}}',
      title: 'The price changes on {{date}}',
      preheader: 'It is {{was}} now, and will be {{becomes}}.',
      text: 'Your “{{plan}}” costs {{was}}. From the payment on {{date}} it costs {{becomes}}. Until then nothing changes. If you stay, there is nothing you need to do.',
      action: 'Open my page',
      after:
        'If you would rather not pay the new price, cancel on your page before {{date}}: it takes two clicks, and you can read until the end of what you have paid for.',
    },
    fall: {
      subject: 'Your “{{plan}}” of {{newsletter}} costs less: {{becomes}}',
      title: 'The price goes down',
      preheader: 'It was {{was}}, and is {{becomes}} from your next payment on.',
      text: 'Your “{{plan}}” cost {{was}}. From your next payment on, {{date}}, it costs {{becomes}}. There is nothing you need to do.',
      action: 'Open my page',
      after: 'You can change your card or cancel on the same page.',
    },
    stays: {
      subject: 'Your “{{plan}}” of {{newsletter}} stays at {{was}}',
      title: 'Your price stays as it is',
      preheader: 'You go on paying {{was}}.',
      text: 'We wrote to you that your “{{plan}}” would cost {{becomes}}. That will not happen: you go on paying {{was}}. There is nothing you need to do.',
      action: 'Open my page',
      after: 'You can change your card or cancel on the same page.',
    },
  },
}
