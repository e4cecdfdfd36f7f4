import type en from '../en/email.ts'

export default {
  numbered: 'N°\u00A0{{number}}, {{date}}',
  named: '{{name}}\u00A0: {{value}}',
  readOnWeb: 'Lire sur le web',
  reason: 'Vous recevez cet email parce que vous avez dit oui à {{newsletter}}. Vous pouvez partir quand vous voulez.',
  unsubscribe: 'Se désabonner',
  yourData: 'Vos données',
  ignore: 'Si cette demande ne vient pas de vous, ignorez cet email : il ne se passera rien.',
  copyAddress: 'Si le bouton ne fonctionne pas, suivez ce lien :',
} satisfies typeof en
