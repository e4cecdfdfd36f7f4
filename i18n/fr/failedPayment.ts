import type en from '../en/failedPayment.ts'

export default {
  failed: {
    subject: 'Votre paiement pour {{newsletter}} n’est pas passé',
    title: 'Cette fois, votre banque a dit non',
    preheader: 'Une minute suffit pour régler cela, et vous pouvez continuer à lire entre-temps.',
    text: 'Le paiement de « {{plan}} » n’est pas passé. Cela arrive : une carte a expiré, un plafond est atteint. Vous pouvez lire jusqu’au {{until}}. Une nouvelle carte sur votre page, et c’est réglé ; si ce n’était qu’un plafond, il n’y a rien à faire : nous réessayons.',
    action: 'Régler mon paiement',
    after: 'Inutile de répondre à cet email. Si vous préférez arrêter, vous pouvez résilier sur la même page.',
  },
  ended: {
    subject: 'Votre abonnement « {{plan}} » à {{newsletter}} est terminé',
    title: 'C’est terminé, faute de paiement',
    preheader: 'Vous ne devez rien, et rien de plus ne sera débité.',
    text: 'Le paiement de « {{plan}} » n’est pas arrivé après plusieurs tentatives : c’est donc terminé. Vous ne devez rien, et rien de plus ne sera débité. Ce qui est gratuit continue de vous parvenir.',
    action: 'Ouvrir ma page',
    after: 'Si vous voulez de nouveau tout lire, vous pouvez recommencer quand vous voulez.',
  },
} satisfies typeof en
