/** Subscribers who read what they paid for, on their devices. */
export default {
  signIn: {
    link: 'Se connecter',
    title: 'Lire {{newsletter}}',
    text: 'Pas de mot de passe. Nous envoyons un lien à votre adresse : il ouvre sur cet appareil ce que votre formule vous ouvre.',
    button: 'Envoyez-moi le lien',
    limit: 'Il y a eu beaucoup de demandes. Rien n’est parti : réessayez dans un moment.',
  },
  sent: {
    title: 'Regardez dans votre boîte',
    text: 'Si cette adresse a un abonnement à {{newsletter}}, un lien est en route. Il sert pendant une heure, sur un seul appareil.',
    again: 'Une autre adresse',
  },
  open: {
    title: 'Lire sur cet appareil',
    text: 'Ce lien est pour {{address}}. Il ouvre {{newsletter}} ici, et nous nous souviendrons de cet appareil.',
    button: 'Lire sur cet appareil',
  },
  full: {
    title: 'Assez d’appareils lisent déjà',
    text: 'La formule de {{address}} vaut pour un certain nombre d’appareils à la fois. Nous pouvons envoyer un lien à cette adresse : qui l’ouvre lit ici, et l’appareil qui a servi il y a le plus longtemps est déconnecté.',
    button: 'Envoyer le lien à {{address}}',
  },
  over: {
    title: 'Ce lien a fait son temps',
    text: 'Il était trop ancien, ou n’en a jamais été un. Demandez-en un autre : c’est l’affaire d’une minute.',
    action: 'Demander un lien',
    button: 'Demander un lien',
  },
  here: {
    title: 'La lecture est ouverte ici',
    text: 'Avec {{address}}, sur cet appareil.',
    plans: 'Ce que vous lisez',
    free: 'Ce que tout le monde lit. Vous n’avez pas de formule en ce moment.',
    until: '{{plan}}, jusqu’au {{date}}',
    forGood: '{{plan}}, sans fin',
    devices: 'Où vous lisez',
    thisDevice: '{{device}}, cet appareil',
    unknownDevice: 'Un appareil',
    lastSeen: 'Dernière lecture le {{date}}',
    end: 'Déconnecter',
    endThis: 'Déconnecter cet appareil',
    archive: 'Voir les publications',
  },
  notice: {
    ended: 'Cet appareil est déconnecté.',
  },
  mail: {
    subject: 'Votre lien pour lire {{newsletter}}',
    preheader: 'Il sert sur l’appareil où vous l’ouvrez, pendant une heure.',
    title: 'Voici votre lien',
    text: 'Ouvrez-le sur l’appareil où vous voulez lire {{newsletter}}.',
    action: 'Lire sur cet appareil',
    after:
      'Le lien sert pendant {{count}} minutes. Si vous n’avez rien demandé, laissez cet email : il ne se passera rien.',
  },
  plans: {
    title: 'Les formules de {{newsletter}}',
    none: 'Rien n’est à vendre ici en ce moment. Tout se lit gratuitement.',
    period: 'À quel rythme vous payez',
    currency: 'Monnaie',
    per: { year: 'À l’année', month: 'Au mois', once: 'Une fois' },
    each: { year: 'par an', month: 'par mois', once: 'une fois, pour toujours' },
    onceFor_one: 'une fois, pour un mois',
    onceFor_other: 'une fois, pour {{count}} mois',
    aMonth: ', soit {{sum}} par mois',
    orMore: ', ou davantage si vous voulez',
    free: 'Gratuit',
    otherCurrency: 'Pas dans cette monnaie',
    subscribe: 'S’abonner gratuitement',
    trial_one: 'Le premier jour est offert.',
    trial_other: 'Les {{count}} premiers jours sont offerts.',
    full: 'Toutes les places sont prises en ce moment.',
    taxInside: 'Taxes comprises.',
    outside: {
      title: 'Par virement, en espèces ou sur facture',
      write:
        'Écrivez à {{newsletter}} en disant quelle formule vous voulez. On vous dira comment payer, et ce que vous payez s’ouvrira avec votre adresse.',
      answer:
        'Répondez à n’importe quel email de {{newsletter}} en disant quelle formule vous voulez. On vous dira comment payer, et ce que vous payez s’ouvrira avec votre adresse.',
    },
  },
}
