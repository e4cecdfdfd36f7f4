import type en from '../en/chargeMail.ts'

export default {
  cancelled: {
    period_end: {
      subject: '« {{plan}} » de {{newsletter}} ne sera pas renouvelé',
      title: 'Il se termine le {{date}}',
      preheader: 'Vous lisez jusque-là, et rien de plus ne sera prélevé.',
      text: '{{newsletter}} a résilié votre abonnement « {{plan}} ». Vous lisez tout jusqu’au {{date}}, comme vous l’avez payé. Rien de plus ne sera prélevé, et vous n’avez rien à faire.',
      action: 'Ouvrir ma page',
      after: 'Pour toute question, répondez à ce mail.',
    },
    now: {
      subject: '« {{plan}} » de {{newsletter}} est terminé',
      title: 'C’est terminé',
      preheader: 'Rien de plus ne sera prélevé.',
      text: '{{newsletter}} a mis fin aujourd’hui à votre abonnement « {{plan}} ». Rien de plus ne sera prélevé, et vous n’avez rien à faire. Ce qui est gratuit continue de vous parvenir.',
      action: 'Ouvrir ma page',
      after: 'Pour toute question, répondez à ce mail.',
    },
  },
} satisfies typeof en
