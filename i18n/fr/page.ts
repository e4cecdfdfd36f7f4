import type en from '../en/page.ts'

export default {
  archive: 'Archives',
  plans: 'Formules',
  subscribe: 'S’abonner',
  leave: 'Me désabonner',
  yourData: 'Vos données',
  printedWith: 'Imprimé avec Tirage',
  skip: 'Aller au texte',
  caught: {
    title: 'Votre demande est arrivée',
    text: 'Ce serveur ne peut pas encore envoyer d’email. Si la newsletter est à vous, ce qui serait parti vous attend dans la boîte d’envoi.',
    read: 'Ouvrir la boîte d’envoi',
  },
  error: {
    missing: {
      title: 'Il n’y a rien ici',
      text: 'L’adresse est peut-être incomplète, ou ce qui s’y trouvait a changé de place.',
    },
    broken: {
      title: 'Quelque chose s’est cassé de notre côté',
      text: 'Vous n’y êtes pour rien, et rien n’est perdu. Réessayez dans un instant.',
    },
    refused: 'Cela n’a pas marché',
    away: {
      title: 'Un instant, s’il vous plaît',
      read: 'Cette page ne peut pas être affichée pour le moment. Rien n’est perdu : rouvrez-la dans un instant.',
      subscribe:
        'Votre adresse n’a pas pu être notée, et rien n’a été enregistré. Revenez en arrière, elle est toujours dans le formulaire, et réessayez dans un instant.',
      confirm: 'Cela n’a pas pu être noté. Votre lien reste valable : rouvrez-le dans un instant.',
      leave: 'Cela n’a pas pu être noté. Cette adresse fonctionne pour toujours : rouvrez-la dans un instant.',
    },
  },
  navigation: 'Pages de {{newsletter}}',
} satisfies typeof en
