import type en from '../en/newsletters.ts'

export default {
  name: 'Nom',
  description: 'Description',
  language: 'Langue',
  currency: 'Devise',
  timezone: 'Fuseau horaire',
  ownersOnly: 'Seul un propriétaire de cette newsletter peut changer ceci.',
  ownersOnlyFields: 'Seul un propriétaire de cette newsletter peut changer ces champs.',
  writersOnly: 'Seuls un propriétaire ou une personne de la rédaction de cette newsletter peuvent changer ceci.',
  welcome: {
    title: 'Donnez un nom à votre newsletter',
    another: 'Créer une autre newsletter',
    lead: 'Le nom pourra changer plus tard, comme la langue et le fuseau horaire, repris pour l’instant de votre profil, et la devise, celle de votre pays autant qu’on peut le deviner.',
    removed:
      'Vous ne faites plus partie de « {{name}} » : l’un de ses propriétaires vous a retiré l’accès. La newsletter continue, et votre compte reste.',
    submit: 'Créer la newsletter',
    account: 'Votre compte et la déconnexion',
    guestName: 'Ma newsletter',
  },
  general: {
    lead: 'Le nom de la newsletter, son adresse, sa langue, sa devise et son fuseau horaire.',
    handle: 'Nom court',
    handleHint:
      'Un mot pour ses adresses, qui commencent maintenant par {{address}}. Si vous le changez, les précédentes restent valables, jusqu’à dix.',
    descriptionHint: 'Une phrase, montrée là où l’on s’abonne.',
    timezoneHint:
      'Les publications sont programmées, et les jours comptés, dans ce fuseau. Si vous en changez, les arrivées et les départs d’avant restent au jour où ils ont été comptés, et ce qui a été saisi avec un jour, comme la fin d’un abonnement payé, garde son instant : on peut alors y lire la veille ou le lendemain.',
  },
  branding: {
    lead: 'Une couleur et un duo de polices ; les pages et les emails suivent.',
    accent: 'Couleur',
    accentHint: 'Une couleur claire est assombrie jusqu’à se lire sur du blanc.',
    eyeDropper: 'Prendre une couleur à l’écran',
    pairing: 'Polices',
    system: 'Système',
    logo: 'Logo',
    logoHint: 'PNG, JPEG, WebP, GIF ou AVIF, 10 Mo au plus.',
    logoChoose: 'Choisir une image',
    logoChange: 'Changer l’image',
    logoRemove: 'Retirer',
    preview: 'Aperçu',
    day: 'Jour',
    night: 'Nuit',
    noDescription: 'La description, prise dans Général, s’affiche ici.',
    sampleTitle: 'Ce que l’annuaire des marées ne dit pas',
    sampleText: 'L’encre serait prétentieuse : les hauteurs s’écrivent au crayon, car la mer n’a pas lu le livre.',
    sampleButton: 'S’abonner',
  },
  embed: {
    title: 'Sur votre propre site',
    text: 'Copiez ce formulaire dans n’importe quelle page. Il n’a aucun style : il ressemble donc au reste de votre site. Copiez-le à nouveau quand votre newsletter change de nom : sinon, les lecteurs devront redonner leur accord sur notre page.',
    language: 'Langue du formulaire',
    html: 'Le formulaire',
    htmlHint: 'Fonctionne seul, sans script : il mène à votre page d’abonnement.',
    script: 'Le script, si vous voulez',
    scriptHint:
      'Avec lui, la réponse s’affiche sur place. Moins de 3 ko, aucun cookie, rien qui suive qui que ce soit.',
    policy:
      'Si votre site a une Content-Security-Policy, ajoutez {{origin}} à form-action et, pour le script, à script-src et connect-src.',
  },
  subscribing: {
    lead: 'Comment on rejoint votre liste, et avec quelles adresses.',
    optIn: 'Avant le premier envoi',
    optInHint:
      'Pour la page d’abonnement. Les personnes ajoutées à la main ou par un programme confirment toujours ; celles d’un import ont déjà dit oui.',
    double: 'Demander confirmation (conseillé)',
    single: 'Abonner chaque adresse aussitôt',
    warningTitle: 'Ce que cela coûte',
    warning:
      'N’importe qui peut saisir l’adresse de n’importe qui. Vous écrivez à des personnes qui n’ont rien demandé et à des adresses qui n’existent pas ; vos emails passent pour indésirables, et arrivent moins bien chez les personnes qui les veulent. Vous ne pouvez pas prouver l’accord de la personne qui tient l’adresse, ce que la loi demande dans bien des pays. Pendant une attaque, et pour les personnes déjà parties, une confirmation est demandée quand même.',
    roleAddresses: 'Adresses lues à plusieurs',
    roleAddressesHint: 'Comme info@ ou postmaster@. Une personne dit oui, les autres vous signalent comme indésirable.',
    disposableAddresses: 'Adresses jetables',
    disposableAddressesHint:
      'De services qui prêtent une adresse quelques minutes. La plupart n’existent plus quand votre envoi arrive.',
    accept: 'Les accepter comme les autres',
    confirm: 'Toujours demander une confirmation',
    refuse: 'Les refuser, et le dire',
  },
  privacy: {
    title: 'Ce que vous gardez sur vos lecteurs',
    clickPrivacy: 'Clics sur les liens',
    clickPrivacyHint:
      'Avec « Ne rien garder », les liens de vos envois mènent droit à leur cible, et vos liens courts ne comptent rien.',
    openPrivacy: 'Ouvertures',
    openPrivacyHint:
      'Une image minuscule dans chaque envoi les signale ; ce n’est qu’une estimation. Avec « Ne rien garder », vos envois n’ont pas cette image.',
    person: 'Garder, avec la personne',
    counted: 'Compter, sans la personne',
    off: 'Ne rien garder',
    warningTitle: 'Cela vaut aussi pour ce qui est déjà là',
    erased: {
      clickPrivacy:
        'Tout ce qui dit qui a cliqué est effacé définitivement. Les nombres de clics restent ; on ne sait plus combien de lecteurs ont cliqué.',
      openPrivacy: 'Tout ce qui dit qui a ouvert est effacé définitivement. Les nombres d’ouvertures restent.',
    },
    warning:
      'Les segments qui reposent là-dessus n’ont plus personne. Les envois déjà partis ne notent plus, eux non plus, de qui il s’agit.',
  },
  receipts: {
    title: 'Reçus de consentement',
    text: 'Chaque oui de vos abonnés, dans les mots qui leur ont été montrés, et chaque non : quand, comment, et ce qui le prouve. Le fichier les contient tous, même des personnes parties ; pour les personnes effacées, seulement une empreinte.',
    check:
      'Chaque reçu porte l’empreinte du précédent : un reçu retiré, modifié ou ajouté après coup se voit. Avec le fichier, on peut tout recalculer sans Tirage (docs/receipts.md dit comment), et « tirage doctor » le fait sur votre serveur.',
    csv: 'Reçus en CSV',
    jsonl: 'Reçus en JSON, un par ligne',
  },
  sender: {
    lead: 'Ce que les lecteurs voient dans leur boîte, et où vont leurs réponses.',
    name: 'Nom d’expéditeur',
    address: 'Adresse d’expéditeur',
    addressHint:
      'Le courrier part aujourd’hui de {{address}}. Votre relais doit avoir le droit d’envoyer pour l’adresse choisie.',
    addressUnproven:
      'Tant que l’adresse {{address}} n’est pas prouvée, ce qui ne peut attendre, comme les confirmations, part de {{now}}, et aucune publication n’est envoyée.',
    replyTo: 'Les réponses vont à',
    replyToHint: 'Vide : à l’adresse d’expéditeur.',
    proof: {
      own: '{{address}} est prouvée : un propriétaire l’a confirmée comme la sienne.',
      domain: '{{address}} est prouvée par un enregistrement de son domaine.',
      mail: '{{address}} est prouvée.',
      open: '{{address}} n’est pas encore prouvée, donc aucune publication ne part. Entrez le code que nous y envoyons, ou prouvez son domaine sous Domaine.',
      caught:
        '{{address}} reste à prouver avant tout envoi réel. Tant que les emails sont retenus sur cette machine, il n’y a rien à faire.',
      scheduled_one:
        'Une publication programmée l’attend : elle ne part le {{when}} que si l’adresse est prouvée d’ici là.',
      scheduled_other:
        '{{n}} publications programmées l’attendent : la première ne part le {{when}} que si l’adresse est prouvée d’ici là.',
      send: 'Envoyer le code',
      sent: 'Si cette adresse peut servir, le code est en route. Il est valable un jour.',
      code: 'Code',
      prove: 'Prouver',
    },
    postal: 'Adresse postale',
    postalHint: 'La loi l’exige en bas de chaque email.',
    takeBack: 'Délai pour annuler un envoi, en secondes',
    takeBackHint:
      'Après le bon à tirer, rien ne part avant ce délai : l’envoi peut encore être annulé. 0 : départ immédiat. 60 au plus.',
  },
  members: {
    lead: 'Les propriétaires changent tout. La rédaction écrit, envoie, choisit et met en pause les bienvenues, s’occupe des abonnés (jusqu’à les effacer), des campagnes, des liens et des annonceurs ; elle n’importe ni n’exporte d’abonnés, et ne touche ni aux réglages, ni aux formules, ni aux abonnements payants, ni aux membres. Qui est en lecture seule ne change rien et voit ce que voit la rédaction : chiffres, brouillons, noms et adresses, mais pas la boîte d’envoi.',
    title: 'Membres',
    invited: 'Invitations',
    person: 'Personne',
    role: 'Rôle',
    roleOf: 'Rôle : {{name}}',
    since: 'Depuis',
    email: 'Inviter par email',
    invite: 'Inviter',
    sent: 'Une invitation est en route vers {{email}}. Elle est valable sept jours.',
    caught:
      'Les emails sont retenus sur cette machine. Donnez vous-même cette adresse à {{email}} : elle n’est montrée que tant que vous êtes sur cette page, et dure sept jours.',
    until: 'Ouverte jusqu’au {{date}}',
    withdraw: 'Annuler',
    remove: 'Retirer',
    leave: 'Quitter',
    removeAsk: 'Retirer {{name}} de cette newsletter ?',
    removeText: 'Ses textes restent. Une nouvelle invitation est possible.',
    leaveAsk: 'Quitter {{newsletter}} ?',
    leaveText:
      'Vous perdez tout de suite votre accès. Vos textes restent. Pour revenir, il vous faudra une nouvelle invitation.',
    stay: 'Rester',
    onlyOwner:
      'Cette newsletter n’a que vous comme propriétaire : vous ne pouvez donc pas la quitter. Nommez d’abord quelqu’un d’autre propriétaire, ou supprimez la newsletter dans Général.',
  },
  keys: {
    lead: 'Une clé permet à un programme ce que permet son rôle, dans cette newsletter seulement. Elle ne permet jamais plus que ce que peut aujourd’hui la personne qui l’a créée, et expire à son départ.',
    title: 'Clés',
    name: 'Nom',
    nameExample: 'Formulaire du site',
    make: 'Créer une clé',
    once: 'Copiez cette clé maintenant : elle n’est montrée qu’une fois.',
    none: 'Pas encore de clé',
    noneText: 'Créez-en une par programme, pour pouvoir les révoquer séparément.',
    maker: 'Créée par',
    lowered: 'désormais comme {{role}}, le rôle de la personne qui l’a créée',
    used: 'Dernier usage',
    ends: 'Fin',
    never: 'Jamais',
    lasting: { month: 'Dans 30 jours', year: 'Dans un an', always: 'Jamais' },
    revoke: 'Révoquer',
    revokeAsk: 'Révoquer « {{name}} » ?',
    revokeText: 'Les programmes qui l’utilisent cessent aussitôt de fonctionner.',
  },
  delete: {
    title: 'Supprimer cette newsletter',
    ask: 'Supprimer {{name}} ?',
    text: 'Ses pages ferment aussitôt et plus rien ne part. Ses données restent 30 jours : d’ici là, elle peut être rétablie sur la page où l’on crée une newsletter.',
    done: '{{name}} est supprimée. Ses données restent 30 jours.',
    hurt: {
      paidAhead_one: '{{count, number}} personne a payé sa lecture d’avance, ou l’a reçue gratuitement.',
      paidAhead_other: '{{count, number}} personnes ont payé leur lecture d’avance, ou l’ont reçue gratuitement.',
      bookings_one:
        '{{count, number}} réservation d’annonceur est facturée ou payée, et son annonce n’a pas encore paru.',
      bookings_other:
        '{{count, number}} réservations d’annonceurs sont facturées ou payées, et leurs annonces n’ont pas encore paru.',
      accepted_one: '{{count, number}} réservation d’annonceur est acceptée, sans être encore facturée.',
      accepted_other: '{{count, number}} réservations d’annonceurs sont acceptées, sans être encore facturées.',
      scheduled_one: '{{count, number}} publication programmée ne partira pas.',
      scheduled_other: '{{count, number}} publications programmées ne partiront pas.',
      campaigns_one: '{{count, number}} campagne en cours s’arrête.',
      campaigns_other: '{{count, number}} campagnes en cours s’arrêtent.',
    },
  },
  deleted: {
    title: 'Newsletters supprimées',
    kept: 'Gardée jusqu’au {{when}}. Ses pages rouvrent telles qu’elles étaient.',
    byOwner: 'L’un de ses propriétaires l’a supprimée et peut la rétablir jusqu’au {{when}}.',
    ownerless:
      'Elle a été supprimée, et il ne reste aucun propriétaire pour la rétablir. Elle sera effacée le {{when}}.',
    restore: 'Rétablir',
  },
  mail: {
    sender: {
      subject: 'Un code pour prouver votre adresse',
      title: 'Votre code',
      preheader: 'Quelqu’un aimerait envoyer une newsletter depuis cette adresse.',
      text: 'Quelqu’un aimerait envoyer la newsletter « {{newsletter}} » depuis cette adresse. Si c’est exact, entrez ce code dans ses réglages, sous Expéditeur. Il est valable un jour.',
      warning: 'Sinon, ne faites rien, et ne donnez le code à personne. Rien ne part en votre nom.',
    },
    replies: {
      preheader: 'Quelqu’un aimerait que les réponses des lecteurs arrivent à cette adresse.',
      text: 'Quelqu’un aimerait que les réponses des lecteurs de « {{newsletter}} » arrivent à cette adresse. Si c’est exact, entrez ce code dans ses réglages, sous Expéditeur. Il est valable un jour.',
      warning: 'Sinon, ne faites rien, et ne donnez le code à personne. Aucune réponse n’arrivera ici.',
    },
    invitation: {
      subject: 'Une invitation à travailler sur une newsletter',
      title: 'Une invitation pour vous',
      preheader: 'Quelqu’un aimerait s’occuper d’une newsletter avec vous.',
      text: '{{inviter}} vous propose de vous occuper ensemble de la newsletter « {{newsletter}} ». Votre rôle y serait : {{role}}.',
      lasts:
        'L’invitation est valable sept jours. Si vous ne connaissez pas cette personne, ne faites rien : on n’entre pas sans l’accepter.',
      action: 'Voir l’invitation',
      somebody: 'Un de ses propriétaires',
    },
  },
} satisfies typeof en
