import type en from '../en/links.ts'

export default {
  page: {
    unknown: {
      title: 'Ce lien ne mène nulle part',
      text: 'Ce lien court n’existe pas ici. Un logiciel de messagerie l’a peut-être coupé : réessayez avec l’adresse entière.',
    },
    expired: {
      title: 'Ce lien a fait son temps',
      text: 'La personne qui l’a créé lui avait donné une fin, et elle est passée.',
    },
    disabled: {
      title: 'Ce lien n’est plus en service',
      text: 'La personne qui l’a créé l’a désactivé. Demandez-lui où aller à la place.',
    },
    away: {
      title: 'Un instant, s’il vous plaît',
      text: 'Ce lien ne peut pas être retrouvé pour le moment. Réessayez dans un instant.',
    },
  },
} satisfies typeof en
