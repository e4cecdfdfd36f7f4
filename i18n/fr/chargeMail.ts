import type en from '../en/chargeMail.ts'

export default {
  cancelled: {
    period_end: {
      subject: 'Votre abonnement « {{plan}} » à {{newsletter}} ne sera pas renouvelé',
      title: 'Il se termine le {{date}}',
      preheader: 'Vous pouvez lire jusque-là, et rien de plus ne sera débité.',
      text: '{{newsletter}} a résilié votre abonnement « {{plan}} ». Vous avez payé jusqu’au {{date}} et pouvez tout lire d’ici là. Rien de plus ne sera débité, et vous n’avez rien à faire.',
      action: 'Ouvrir ma page',
      after: 'Pour toute question, répondez à cet email.',
    },
    now: {
      subject: 'Votre abonnement « {{plan}} » à {{newsletter}} est terminé',
      title: 'C’est terminé',
      preheader: 'Rien de plus ne sera débité.',
      text: '{{newsletter}} a mis fin aujourd’hui à votre abonnement « {{plan}} ». Rien de plus ne sera débité, et vous n’avez rien à faire. Ce qui est gratuit continue de vous parvenir.',
      action: 'Ouvrir ma page',
      after: 'Pour toute question, répondez à cet email.',
    },
  },
  price: {
    rise: {
      subject: 'À partir du {{date}}, votre abonnement « {{plan}} » à {{newsletter}} coûtera {{becomes}}',
      title: 'Le prix change le {{date}}',
      preheader: 'Il est de {{was}}, et sera de {{becomes}}.',
      text: 'Votre abonnement « {{plan}} » coûte {{was}}. À partir du paiement du {{date}}, il coûtera {{becomes}}. D’ici là, rien ne change. Si vous restez, vous n’avez rien à faire.',
      action: 'Ouvrir ma page',
      after:
        'Si le nouveau prix ne vous convient pas, résiliez sur votre page avant le {{date}} : deux clics suffisent, et vous pouvez lire jusqu’à la fin de la période payée.',
    },
    fall: {
      subject: 'Votre abonnement « {{plan}} » à {{newsletter}} coûte moins cher : {{becomes}}',
      title: 'Le prix baisse',
      preheader: 'Il était de {{was}}, et passe à {{becomes}} dès votre prochain paiement.',
      text: 'Votre abonnement « {{plan}} » coûtait {{was}}. Dès votre prochain paiement, le {{date}}, il coûte {{becomes}}. Vous n’avez rien à faire.',
      action: 'Ouvrir ma page',
      after: 'Vous pouvez changer de carte ou résilier sur la même page.',
    },
    stays: {
      subject: 'Votre abonnement « {{plan}} » à {{newsletter}} reste à {{was}}',
      title: 'Votre prix ne change pas',
      preheader: 'Vous continuez à payer {{was}}.',
      text: 'Nous vous avions écrit que votre abonnement « {{plan}} » coûterait {{becomes}}. Il n’en sera rien : vous continuez à payer {{was}}. Vous n’avez rien à faire.',
      action: 'Ouvrir ma page',
      after: 'Vous pouvez changer de carte ou résilier sur la même page.',
    },
  },
} satisfies typeof en
