import type en from '../en/advertise.ts'

export default {
  overview: 'Vue d’ensemble',
  lead: 'Les liens courts comptent qui suit ce que vous diffusez. Les annonceurs et les campagnes d’inscription ne sont pas encore construits.',
  last: 'Vos derniers liens courts',
  all: 'Tous les liens courts',
} satisfies typeof en
