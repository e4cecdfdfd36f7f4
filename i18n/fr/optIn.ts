import type en from '../en/optIn.ts'

export default {
  no: 'Non merci',
  notYou: 'Ce n’est pas vous ?',
  forAddress: 'Ceci s’adresse à {{address}}.',
  forWhom: 'Ceci s’adresse à {{address}}, qui lit {{newsletter}}.',
  nothingYet: 'Rien ne se passe tant que vous n’avez pas dit oui, et vous pourrez revenir dessus.',
  nothingYetTyped:
    'Nous écrivons à cette adresse, et rien ne se passe tant que vous n’avez pas confirmé. Vous pourrez revenir dessus.',
  unchanged: 'Votre abonnement à {{newsletter}} ne change pas, quelle que soit la réponse.',
  follows: {
    newsletter: 'Votre oui vous abonne aussi à {{newsletter}}, si ce n’est pas déjà fait.',
    sponsor: 'Votre oui ne vous abonne pas à {{newsletter}}.',
    other:
      'Votre oui vous abonne à {{other}}. Votre abonnement à {{newsletter}} ne change pas, quelle que soit la réponse.',
    otherOnly: 'Votre oui vous abonne à {{other}}, et pas à {{newsletter}}.',
  },
  agreed: 'Par votre oui, vous dites : « {{words}} »',
  whoAndHowLong: 'À qui, et pour combien de temps',
  until: 'Votre oui vaut jusqu’à ce que vous disiez stop, à {{who}} ou à {{newsletter}}.',
  untilTakenBack: 'Vous pouvez revenir sur votre oui à tout moment.',
  privacy: 'La politique de confidentialité de {{who}}',
  undoWords: 'Je reviens sur mon oui à : {{question}}',
  passes: {
    sponsor: 'Votre adresse est transmise à {{who}}, et rien d’autre.',
    otherNewsletter: 'Votre adresse est transmise à {{other}}, une newsletter de ce même serveur, et rien d’autre.',
    newsletter: 'Votre oui et votre adresse vont à {{newsletter}}. Rien n’est transmis à qui que ce soit d’autre.',
  },
  passed: {
    title: 'Ce qui serait transmis',
    address: 'Votre adresse',
    thisAddress: 'Votre adresse, {{address}}',
    name: 'Votre nom',
    reading: 'Ce que vous lisez',
    payments: 'Votre formule et vos paiements',
    yes: 'Oui',
    no: 'Non',
  },
  receipt: {
    title: 'Votre reçu',
    text: 'Vous recevez par email la copie exacte de ce que vous avez accepté, avec un lien pour revenir dessus.',
  },
  said: {
    title: 'Vous avez dit oui',
    text: 'Ce oui vient de {{address}}. {{newsletter}} y a envoyé un reçu.',
    from: 'Ce oui vient de {{address}}.',
    caught:
      'Ce oui vient de {{address}}. Ce serveur ne peut pas encore envoyer d’email. Si {{newsletter}} est à vous, le reçu vous attend dans la boîte d’envoi.',
    undo: 'Revenir dessus',
    read: 'Ce à quoi vous avez dit oui',
  },
  notice: {
    asked: {
      title: 'Regardez vos emails',
      text: 'Un lien est en route vers cette adresse, si elle n’a pas encore dit oui et accepte nos emails. Ouvrez-le dans la semaine et appuyez sur le bouton : votre oui comptera.',
      action: 'Une autre adresse',
    },
    no: {
      title: 'Comme vous voulez',
      text: 'Rien n’a été transmis ni noté. Merci d’avoir regardé.',
      action: 'Continuer la lecture',
    },
    undone: {
      title: 'C’est annulé',
      text: 'Votre oui ne compte plus.',
      action: 'Continuer la lecture',
    },
  },
  undoneMeans: {
    newsletter: 'Un abonnement à {{who}} commencé par ce oui s’arrête ; un abonnement plus ancien continue.',
    never: 'Votre adresse n’est plus dans la liste destinée à {{who}}.',
    shared:
      'Votre adresse n’est plus dans la liste destinée à {{who}}, qui y voit aussi que ce oui est annulé. S’il vous arrive quand même un email de sa part, demandez-lui d’arrêter.',
    closed:
      'Votre adresse n’est plus dans la liste destinée à {{who}}, qui l’a peut-être téléchargée avant. S’il vous arrive un email de sa part, demandez-lui d’arrêter.',
  },
  closed: {
    soon: {
      title: 'Pas encore',
      text: 'Cela n’a pas commencé. Revenez dans quelque temps.',
      from: 'Cela commence le {{date}}. À bientôt.',
    },
    full: {
      title: 'Toutes les places sont prises',
      text: 'Une place peut se libérer, si quelqu’un revient sur son oui.',
    },
    ended: { title: 'C’est terminé', text: 'La période est finie. Merci de votre intérêt.' },
    withdrawn: {
      title: 'Cette proposition est retirée',
      text: '{{newsletter}} ne pose plus cette question. Si vous aviez dit oui, le lien de votre reçu permet de revenir dessus.',
    },
    unknown: {
      title: 'Il n’y a rien ici',
      text: 'Aucune question n’a cette adresse. Le lien est peut-être coupé ; regardez-le encore une fois.',
    },
    read: 'Lire {{newsletter}}',
  },
  oldLink: {
    title: 'Ce lien est trop ancien',
    text: 'Il a plus d’une semaine, ou il est incomplet. Rien ne s’est passé. Vous pouvez en demander un autre.',
    again: 'Demander à nouveau',
  },
  problem: {
    limit: 'Trop de tentatives en peu de temps. Réessayez dans quelques minutes.',
    proof: 'Les demandes affluent en ce moment. Appuyez de nouveau sur le bouton quand votre navigateur est prêt.',
    changed: 'Le texte a changé entre-temps. Relisez-le : votre oui n’a pas encore compté.',
    notYet: 'Cette newsletter ne peut pas encore envoyer d’email. Réessayez un autre jour.',
    refused: 'Les emails à cette adresse ont été arrêtés ici, elle ne peut donc pas dire oui.',
  },
  band: {
    preview: 'Un aperçu : les boutons ne changent rien, et personne n’est compté.',
    test: 'Depuis un email de test : les boutons ne changent rien, et personne n’est compté.',
  },
  list: {
    title: 'Qui a dit oui : {{campaign}}',
    text: 'Pour {{sponsor}}, de la part de {{newsletter}} : les adresses confirmées, chacune une fois. Le fichier les a toujours toutes.',
    confirmed: 'Adresses confirmées (CSV)',
    undoneText:
      'Les personnes qui sont revenues sur leur oui ne figurent plus dans ce fichier, et il ne faut plus leur écrire. Téléchargez-le donc de nouveau avant chaque envoi, plutôt que de reprendre une ancienne copie.',
    keptText:
      'Vous tenez votre propre liste ? Un second fichier dit qui en retirer, sans redonner les adresses : il contient une empreinte de chacune (SHA-256 de l’adresse en minuscules) et la date du retrait, pour que la personne qui gère votre liste puisse les retrouver.',
    undone: 'Oui annulés (CSV)',
    closed: {
      title: 'Cette adresse est fermée',
      text: '{{newsletter}} l’a fermée, ou elle a expiré. Demandez-en une autre si vous avez encore besoin de savoir qui a dit oui, et n’écrivez à personne d’après une ancienne copie : certains ont pu revenir sur leur oui.',
    },
    until: 'Cette adresse fonctionne jusqu’au {{date}}, sauf si elle est fermée avant.',
  },
  mail: {
    ask: {
      subject: 'À confirmer : {{question}}',
      title: '{{question}}',
      preheader: 'Un geste, et votre oui compte.',
      text: 'Quelqu’un a saisi cette adresse chez {{newsletter}} pour dire oui. Si c’était vous, lisez ce que cela veut dire et appuyez sur le bouton.',
      action: 'Lire et confirmer',
      after: 'Si ce n’était pas vous, ne faites rien : rien n’est noté et rien n’est transmis.',
    },
    receipt: {
      subject: 'Vous avez dit oui : {{question}}',
      title: 'Vous avez dit oui',
      preheader: 'Ce que vous avez accepté, mot pour mot.',
      text: 'Voici ce que vous avez accepté chez {{newsletter}}, mot pour mot :',
      action: 'Revoir, ou revenir dessus',
      after: 'Si ce n’était pas vous, revenez dessus : un geste suffit.',
    },
  },
} satisfies typeof en
