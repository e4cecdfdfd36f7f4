import type en from '../en/advertise.ts'

export default {
  overview: 'Vue d’ensemble',
  lead: 'Les annonceurs ont leur calendrier, et les liens courts comptent qui suit ce que vous diffusez. Les campagnes d’inscription ne sont pas encore construites.',
  last: 'Vos derniers liens courts',
  all: 'Tous les liens courts',
} satisfies typeof en
