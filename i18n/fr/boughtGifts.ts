import type en from '../en/boughtGifts.ts'

export default {
  give: 'Offrir cette formule',
  giftable: 'Peut être achetée par carte comme cadeau',
  giftableHint: 'On peut en offrir une année ou, pour un prix payé en une fois, les mois qu’il couvre.',
  page: {
    title: 'Offrir « {{plan}} »',
    text_one:
      'Un mois d’abonnement à {{newsletter}} pour quelqu’un d’autre : {{sum}}, en un seul paiement. L’accès prend fin de lui-même.',
    text_other:
      '{{count}} mois d’abonnement à {{newsletter}} pour quelqu’un d’autre : {{sum}}, en un seul paiement. L’accès prend fin de lui-même.',
    email: 'Votre adresse email',
    recipient: 'Adresse de la personne qui le reçoit (vide : vous transmettez le code)',
    name: 'Son nom (si vous voulez)',
    day: 'Le jour où nous lui écrivons (vide : tout de suite)',
    message: 'Vos mots pour cette personne (si vous voulez)',
    kept: 'Vous recevez le code par email une fois le paiement fait. Nous n’écrivons à l’autre adresse que pour ce cadeau, et l’oublions quand il est pris, ou après 90 jours.',
    problem: {
      recipient: 'Vérifiez cette adresse. Un message ou un jour demandent une adresse où écrire.',
      name: 'Un nom a 80 lettres au plus, et pas de lien.',
      message: '500 caractères au plus, et pas de lien.',
      day: 'Choisissez un jour à partir d’aujourd’hui, dans un an au plus.',
    },
  },
  done: {
    title: 'Merci',
    text: 'Dès que le paiement est arrivé, le code de votre cadeau vous est envoyé par email.',
    textTest: 'C’était un test, aucune carte n’a été débitée. Le code du cadeau arrive quand même par email.',
    plans: 'Retour aux formules',
  },
  mail: {
    paid: 'Vous avez payé {{sum}}.',
    for: 'Pour {{name}}.',
    words: 'La personne qui vous l’offre écrit :',
    wordsFor: 'Pour {{name}}. La personne qui vous l’offre écrit :',
    buyer: {
      subject: 'Le cadeau que vous avez acheté : l’abonnement « {{plan}} » à {{newsletter}}',
      preheader: 'Le code, et ce que vous avez payé.',
      title: 'Votre cadeau est prêt',
      text_one:
        'Le code {{code}} ouvre l’abonnement « {{plan}} » à {{newsletter}} pour un mois. Il sert une seule fois, à la première personne qui l’utilise.',
      text_other:
        'Le code {{code}} ouvre l’abonnement « {{plan}} » à {{newsletter}} pour {{count}} mois. Il sert une seule fois, à la première personne qui l’utilise.',
      action: 'La page du cadeau',
      after: 'Gardez cet email : le code reste valable jusqu’à ce que quelqu’un le prenne.',
    },
    recipient: {
      subject: 'Un cadeau pour vous : l’abonnement « {{plan}} » à {{newsletter}}',
      preheader: 'Quelqu’un a pensé à vous.',
      title: 'Un cadeau pour vous',
      text_one: 'On vous offre l’abonnement « {{plan}} » à {{newsletter}} pour un mois. Votre code est {{code}}.',
      text_other:
        'On vous offre l’abonnement « {{plan}} » à {{newsletter}} pour {{count}} mois. Votre code est {{code}}.',
      action: 'Prendre mon cadeau',
      after:
        'On nous a donné votre adresse pour ce seul email. Si vous ne voulez pas du cadeau, laissez-le : il ne se passe rien.',
    },
  },
  list: {
    by: 'Acheté par {{email}}',
    bySomebody: 'Acheté par carte',
    test: 'Test, sans argent',
    returned: 'L’argent a été rendu',
    waiting: 'Partira le {{date}} vers {{email}}',
    mailed: 'Parti le {{date}}',
    notMailed: 'Pas encore parti',
    again: 'Envoyer maintenant',
    againOne: 'Envoyer maintenant le cadeau {{code}}',
    queued: 'Il est en route.',
  },
} satisfies typeof en
