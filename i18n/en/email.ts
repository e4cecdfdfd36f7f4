export default {
  numbered: 'No. {{number}}, {{date}}',
  named: '{{name}}: {{value}}',
  readOnWeb: 'Read on the web',
  reason: 'You get this because you said yes to {{newsletter}}. You can leave whenever you like.',
  unsubscribe: 'Unsubscribe',
  yourData: 'Your data',
  ignore: 'If this was not you, leave this email alone and nothing happens.',
  copyAddress: 'If the button does not work, follow this link:',
}
