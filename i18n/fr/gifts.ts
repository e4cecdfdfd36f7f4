import type en from '../en/gifts.ts'

export default {
  title: 'Cadeaux par code',
  lead: 'Chaque code donne accès à une formule, une seule fois. Donnez des codes dans une publication, à un salon, à une bibliothèque.',
  none: 'Pas encore de code. Les formules offertes sans code sont dans Abonnements.',
  make: 'Créer des codes',
  months: 'Nombre de mois offerts',
  count: 'Combien de codes',
  until: 'À prendre jusqu’au (vide : toujours)',
  note: 'Note',
  noteHint: 'Pour qui, par exemple. Seuls les membres la lisent.',
  made_one: '{{count}} code créé.',
  made_other: '{{count}} codes créés.',
  csv: 'Les codes en CSV',
  columns: { code: 'Code', what: 'Ce qu’il ouvre', state: 'État' },
  forMonths_one: 'pour un mois',
  forMonths_other: 'pour {{count}} mois',
  states: { open: 'À prendre', taken: 'Pris', over: 'Périmé', withdrawn: 'Retiré' },
  openUntil: 'jusqu’au {{date}}',
  withdraw: 'Retirer',
  withdrawOne: 'Retirer le code {{code}}',
  withdrawAsk: 'Retirer le code {{code}} ?',
  withdrawText: 'Plus personne ne pourra s’en servir, pas même qui l’a déjà reçu.',
  link: 'On vous a donné un code ? Prenez votre cadeau',
  page: {
    title: 'Prenez votre cadeau',
    text: 'Saisissez le code qu’on vous a donné et votre adresse. Nous vous envoyons un lien, et avec lui vous pourrez lire {{newsletter}}.',
    code: 'Code',
    wrongCode:
      'Ce code est inconnu ici, déjà pris ou périmé. Regardez-le encore une fois : il a douze lettres et chiffres.',
    isDiscount: 'Votre code réduit-il un prix ? Alors ce n’est pas un cadeau : il s’utilise avec les formules.',
    toPlans: 'Voir les formules',
    button: 'M’envoyer le lien',
  },
  sent: {
    title: 'Regardez dans votre boîte',
    text: 'Un lien est en route. Le cadeau est à vous quand vous l’ouvrez et appuyez sur le bouton ; d’ici là, le code reste valable.',
    again: 'Une autre adresse',
  },
  mail: {
    subject: 'Votre cadeau : « {{plan}} » de {{newsletter}}',
    preheader: 'Un clic, et il est à vous.',
    title: 'Un cadeau pour vous',
    text_one: '« {{plan}} » de {{newsletter}}, pour un mois. Prenez-le avec le bouton ci-dessous.',
    text_other: '« {{plan}} » de {{newsletter}}, pour {{count}} mois. Prenez-le avec le bouton ci-dessous.',
    action: 'Prendre mon cadeau',
    after:
      'Le lien est valable un jour. Si ce n’est pas vous qui l’avez demandé, ignorez cet email : il ne se passe rien.',
  },
  take: {
    title_one: '« {{plan}} », un mois pour vous',
    title_other: '« {{plan}} », {{count}} mois pour vous',
    text: 'Ce cadeau ouvre {{newsletter}} à {{address}}. Rien n’est à payer, et l’accès prend fin de lui-même.',
    needed: 'Un cadeau est pour les abonnés.',
    missing: 'Cochez la case pour prendre votre cadeau : il est pour les abonnés de {{newsletter}}.',
    button: 'Prendre mon cadeau',
  },
  taken: {
    title: 'Il est à vous',
    text: 'Vous lisez « {{plan}} » de {{newsletter}} jusqu’au {{date}}. L’accès prend fin de lui-même, et rien n’est débité.',
    over: 'Vous avez pris « {{plan}} ».',
    read: 'Commencer à lire',
  },
  not: {
    again: 'Saisir un code',
    link: {
      title: 'Ce lien n’ouvre rien',
      text: 'Il est trop ancien, ou incomplet. Saisissez le code à nouveau, et un autre lien arrive.',
    },
    over: {
      title: 'Ce cadeau n’est plus là',
      text: 'Quelqu’un l’a pris, il est périmé ou on l’a retiré. Demandez à qui vous l’a donné.',
    },
    has: {
      title: 'Vous l’avez déjà',
      text: 'Votre formule continue toute seule : le cadeau ne vous donnerait rien. Le code reste valable : gardez-le, ou donnez-le à quelqu’un.',
    },
    address: {
      title: 'Pas avec cette adresse',
      text: 'Aucun email ne peut partir à cette adresse. Prenez le cadeau avec une autre : le code reste valable.',
    },
  },
} satisfies typeof en
