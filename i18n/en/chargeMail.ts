/** What subscribers are told when an owner changes what they pay for. */
export default {
  cancelled: {
    period_end: {
      subject: 'Your “{{plan}}” of {{newsletter}} will not be renewed',
      title: 'It ends on {{date}}',
      preheader: 'You read on until then, and nothing more is charged.',
      text: '{{newsletter}} has cancelled your “{{plan}}”. You read all of it until {{date}}, as you paid for it. Nothing more is charged, and there is nothing that you need to do.',
      action: 'Open my page',
      after: 'If you have a question about it, answer this mail.',
    },
    now: {
      subject: 'Your “{{plan}}” of {{newsletter}} has ended',
      title: 'It has ended',
      preheader: 'Nothing more is charged.',
      text: '{{newsletter}} has ended your “{{plan}}” today. Nothing more is charged, and there is nothing that you need to do. What is free still comes to you as before.',
      action: 'Open my page',
      after: 'If you have a question about it, answer this mail.',
    },
  },
}
