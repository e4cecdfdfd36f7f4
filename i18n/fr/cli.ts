import type en from '../en/cli.ts'

const fr: typeof en &
  Record<`migrated_many`, string> & { import: Record<'lines_many', string> } & {
    step: Record<'migrate_many', string>
  } & {
    doctor: Record<`${'needsYou' | 'mailRelays' | 'relaysOwn'}_many`, string>
  } = {
  step: {
    load: 'Chargement du programme…',
    postgres: 'Démarrage de sa base de données, PostgreSQL, dont les données sont dans {{folder}}…',
    reach: 'Connexion à la base de données de DATABASE_URL…',
    migrate_one: 'Mise à jour de la base de données : {{count}} étape…',
    migrate_many: 'Mise à jour de la base de données : {{count}} d’étapes…',
    migrate_other: 'Mise à jour de la base de données : {{count}} étapes…',
    serve: 'Démarrage du serveur…',
  },
  ready: 'Tirage est prêt : {{url}}',
  working: 'Tirage traite les tâches.',
  howToStop: 'Ctrl-C pour arrêter.',
  caught:
    'Aucun relais n’est réglé (SMTP_URL) : les emails sont retenus dans la boîte d’envoi et ne quittent pas cette machine.',
  stopping: 'Arrêt en cours…',
  stopped: 'Arrêté.',
  stuck: 'Certaines parties ne se sont pas arrêtées en {{seconds}} s et ont été abandonnées.',
  migrated_one: '{{count}} migration appliquée.',
  migrated_many: '{{count}} de migrations appliquées.',
  migrated_other: '{{count}} migrations appliquées.',
  upToDate: 'La base de données est à jour.',
  unknownCommand: 'La commande « {{command}} » n’existe pas.',
  badNumber: '--{{option}} doit être un nombre entier supérieur à 0.',
  usage: `Usage : npm run tirage -- COMMANDE

  start                     sert les pages, traite les tâches et dit où (comme npm start)
  work                      traite seulement les tâches et les envois, comme avec ROLE=worker
  migrate                   met la base de données à jour, puis s’arrête
  seed [--subscribers N]    écrit une newsletter de démonstration avec N abonnés (10000)
  doctor                    dit ce qui est réglé, joignable et manquant
  relays                    les relais de tout ce serveur, pour les newsletters qui n’en ont pas
    add NOM ADRESSE         {{addresses}} ; - lit l’adresse sur l’entrée standard
    set ID                  --name --weight --connections --per-second --per-hour N (ou none)
                            --warm-up --enabled on|off
    remove ID
    domain NOM              --per-second --per-hour N : une limite pour un domaine destinataire ; sans elles, aucune
  domain                    l’expéditeur des emails de ce serveur, ses clés DKIM et ce qu’en dit le DNS
    keys                    en faire une paire, et montrer les enregistrements à publier
  bounces [--at-least N]    les abonnés injoignables par newsletter et par réponse, par groupes de N ou plus (2)
    restore ID --reason R   dit combien, et avec --yes les rend à nouveau actifs
  import FICHIER            des abonnés d’un fichier CSV, par les étapes de la page Imports
    --newsletter NOM        son nom dans l’adresse ou son identifiant
    --origin ORIGINE        où ces personnes ont dit oui : own_newsletter, event, customers, paper ou other
    --words MOTS            comment elles ont dit oui, dans vos mots : ils deviennent ceux des reçus de consentement
    --map COLONNE=CHAMP     ce que devient une colonne, si son nom ne le dit pas ; autant de fois qu’il faut
    --encoding NOM          comment les lettres du fichier sont écrites, si ce qui est trouvé est faux : windows-1250, koi8-r, shift_jis…
    --days day-first        du jour ou du mois, ce qui vient d’abord dans une date comme 03/04/2025, quand rien dans le fichier ne le prouve ; ou month-first
    --tag NOM               pour tout le monde ; --existing fill|replace pour qui est déjà là (fill)
    --dry-run               ne change rien ; --report FICHIER écrit les lignes avec une remarque (- les affiche)
  sessions
    end ADRESSE             déconnecte une personne partout
  outbox ADRESSE            le dernier email retenu du serveur lui-même à quelqu’un : lien de connexion, confirmation`,
  import: {
    missing:
      'Dites quel fichier, pour quelle newsletter (--newsletter), où ces personnes ont dit oui (--origin) et comment (--words). Toutes les options sont dans : npm run tirage -- help',
    wrong: {
      origin: '--origin doit être own_newsletter, event, customers, paper ou other.',
      words:
        '--words dit sur une ligne, en 20 à 1 000 caractères, comment ces personnes ont dit oui. Ces mots restent dans leurs reçus de consentement.',
      existing: '--existing doit être fill ou replace.',
      dayOrder: '--days doit être day-first ou month-first.',
      tag: '--tag doit être un nom de 60 caractères au plus.',
    },
    noNewsletter: 'Il n’y a pas de newsletter {{newsletter}}. Il y a : {{handles}}.',
    noFile: '{{file}} ne se lit pas comme un fichier ({{why}}).',
    badMap: '--map {{given}} n’est pas compris. Écrivez COLONNE=CHAMP, où CHAMP est l’un de : {{fields}}.',
    badEncoding: '--encoding {{given}} n’est pas un encodage connu. Choisissez parmi : {{encodings}}.',
    noColumn: 'Il n’y a pas de colonne « {{column}} ». Il y a : {{columns}}.',
    noAddress: 'Aucune colonne n’est reconnue comme l’adresse. Nommez-la : --map COLONNE=email',
    read: 'Encodage {{encoding}}, séparateur {{delimiter}}, export de : {{tool}}. Ce que deviennent les colonnes (--map le change) :',
    lines_one: '{{count, number}} ligne lue',
    lines_many: '{{count, number}} de lignes lues',
    lines_other: '{{count, number}} lignes lues',
    count: {
      added: 'nouveaux : {{count, number}}',
      here: 'déjà là, mis à jour : {{count, number}}',
      confirmed: 'parmi eux, n’avaient pas confirmé et comptent désormais : {{count, number}}',
      keptAway: 'gardés à l’écart, selon le fichier : {{count, number}}',
      leftOut: 'laissés de côté, partis ou arrêtés ici auparavant : {{count, number}}',
      twins:
        'même adresse qu’une ligne précédente, réunies (dates les plus anciennes, toutes les étiquettes) : {{count, number}}',
      refused: 'refusées : {{count, number}}',
    },
    reason: '{{count, number}} × {{reason}}',
    line: 'ligne {{line}}, « {{cell}} »',
    report: 'Les lignes avec une remarque sont dans {{file}}.',
    dry: 'C’était une simulation. Rien n’a changé.',
    done: 'Import terminé. Pendant {{days}} jours, il peut être annulé sur la page Imports.',
    progress: '{{what}} : {{percent}} %',
    stopping: 'Arrêt en cours. Les personnes ajoutées sont retirées…',
    goesOn: 'L’import met à jour les abonnés déjà là et ne peut plus être arrêté. Il continue.',
    stopped: 'Arrêté. Personne n’a été ajouté.',
  },
  sessions: {
    whose: 'Les sessions de qui ? tirage sessions end ADRESSE',
    nobody: 'Aucun compte n’a l’adresse {{email}}.',
    ended_one: '{{count, number}} session fermée pour {{email}}.',
    ended_other: '{{count, number}} sessions fermées pour {{email}}.',
  },
  outbox: {
    whose: 'Le courrier de qui ? tirage outbox ADRESSE',
    none: 'Aucun email de ce serveur à {{email}} n’est gardé. Avec un relais, il a été envoyé, et n’est pas retenu.',
  },
  bounces: {
    none: 'Aucune réponse n’a écarté autant d’abonnés.',
    how: 'Réparez la cause, puis : tirage bounces restore ID --reason RAISON',
    group_one: '{{count, number}} abonné de {{newsletter}} : {{answer}}',
    group_other: '{{count, number}} abonnés de {{newsletter}} : {{answer}}',
    gone: 'dit que les adresses n’existent pas',
    noGroup: 'Il n’y a pas ou plus de groupe {{id}} : regardez tirage bounces.',
    whyMissing: 'Dites pourquoi avec --reason : la raison est gardée et figure dans chaque fiche.',
    sure_one: 'Avec --yes, {{count, number}} abonné reçoit à nouveau le courrier. Rien n’a changé.',
    sure_other: 'Avec --yes, {{count, number}} abonnés reçoivent à nouveau le courrier. Rien n’a changé.',
    restored_one: '{{count, number}} abonné reçoit à nouveau le courrier.',
    restored_other: '{{count, number}} abonnés reçoivent à nouveau le courrier.',
    unsubscribed_one: '{{count, number}} avait déjà quitté la liste et n’y revient pas.',
    unsubscribed_other: '{{count, number}} avaient déjà quitté la liste et n’y reviennent pas.',
  },
  relays: {
    none: 'Ce serveur n’a pas d’autre relais que celui de SMTP_URL.',
    weight: 'poids {{weight}}',
    perSecond: '{{number}} par seconde',
    perHour: '{{number}} par heure',
    warmUp: 'en montée progressive',
    off: 'éteint',
    resting: 'au repos : {{answer}}',
  },
  domain: {
    sender: 'Liens de connexion et invitations viennent de {{address}} (MAIL_FROM).',
    noKeys: '  Ils ne sont pas encore signés : npm run tirage -- domain keys',
    local:
      'Aucun serveur de noms extérieur ne connaît {{domain}} : donnez à MAIL_FROM une adresse d’un domaine à vous.',
    free_mail:
      '{{domain}} appartient à son fournisseur de messagerie : donnez à MAIL_FROM une adresse d’un domaine à vous.',
  },
  seeding: 'Écriture de la démonstration…',
  seeded: '{{newsletters}} sont là. Connectez-vous sur {{url}} avec {{email}} et le mot de passe {{password}}.',
  seededBefore: 'La démonstration est déjà là : rien n’a été écrit.',
  seedHurt: 'Quiconque atteint {{url}} peut se connecter avec ce mot de passe : gardez la démonstration pour vous.',
  doctor: {
    good: 'bon',
    note: 'note',
    bad: 'NON',
    set: 'réglé',
    stripe: 'Stripe',
    stripeNone:
      '{{newsletter}} a une formule payante et pas de compte chez Stripe : seul ce qui est payé ailleurs s’y vend.',
    stripeRights:
      'il manque des droits à la clé de {{newsletter}} : {{rights}}. Vérifiez-la à nouveau dans Encaisser, Stripe.',
    stripeSilent: '{{newsletter}} est reliée depuis plus d’un jour et n’a reçu aucun événement.',
    stripeTest: '{{newsletter}} a une clé de test : aucune carte n’est débitée.',
    stripeGood: '{{newsletter}} débite des cartes.',
    stripeHidden:
      'il ne peut pas atteindre {{publicUrl}} : les paiements n’arrivent pas ici. Donnez une adresse publique à PUBLIC_URL.',
    needsYou_one: '{{count}} point demande votre attention.',
    needsYou_many: '{{count}} de points demandent votre attention.',
    needsYou_other: '{{count}} points demandent votre attention.',
    allGood: 'Tout ce dont Tirage a besoin est là.',
    configuration: 'réglages',
    configurationGood: 'lus, et complets',
    database: 'base',
    databaseEmbedded: 'PostgreSQL {{version}}, embarqué, dans {{path}}',
    databaseYours: 'PostgreSQL {{version}} de DATABASE_URL',
    fsync: 'durabilité',
    fsyncOn: 'fsync est actif : ce qui a reçu une réponse est sur le disque',
    fsyncOff: 'fsync est inactif : une panne de courant perd ou abîme des données ; activez-le dans postgresql.conf',
    storage: 'fichiers',
    storageTried: 'écrit dans {{place}}, relu puis effacé',
    storageRefuses: '{{place}} refuse : {{reason}}',
    storageAway: '{{place}} ne répond pas : {{reason}}',
    folderFull: 'plein : {{path}} n’accepte plus que quelques mégaoctets',
    folderReadOnly: '{{path}} n’accepte aucun fichier',
    folderBusy: 'trop de fichiers sont ouverts pour écrire dans {{path}}',
    databaseReadOnly:
      'PostgreSQL {{version}} ne fait que lire : c’est un serveur de secours, ou default_transaction_read_only est actif',
    mail: 'courrier',
    mailCaught: 'emails retenus dans la boîte d’envoi ; réglez SMTP_URL pour de vraies boîtes',
    mailReached: '{{host}} répond',
    mailAway: '{{host}} ne répond pas : {{reason}}',
    mailRelays_one: 'porté par {{count}} relais de ce serveur (tirage relays) : envoyez-vous un test',
    mailRelays_many: 'porté par {{count}} de relais de ce serveur (tirage relays) : envoyez-vous un test',
    mailRelays_other: 'porté par {{count}} relais de ce serveur (tirage relays) : envoyez-vous un test',
    relays: 'relais',
    relaysOwn_one: '{{count}} propre à une newsletter',
    relaysOwn_many: '{{count}} de relais propres à des newsletters',
    relaysOwn_other: '{{count}} propres à des newsletters',
    relayRests: '{{name}} se repose : {{answer}}',
    sender: 'expéditeur',
    sender_local: '{{address}} : aucun serveur de noms extérieur ne connaît ce domaine ; réglez MAIL_FROM',
    sender_free_mail:
      '{{address}} appartient à son fournisseur de messagerie, et elle est refusée venant d’ailleurs ; réglez MAIL_FROM',
    returns: 'rebonds',
    returnsNowhere: 'vont à l’adresse de l’expéditeur, où personne ne les compte ; définissez BOUNCE_DOMAIN',
    returnsHere: 'vers {{domain}} sont reçus sur le port {{port}}',
    returnsSilent:
      'vers {{domain}} sont reçus sur le port {{port}}, où rien ne répond en ce moment : Tirage est-il en marche ?',
    returnsElsewhere: 'vers {{domain}} sont reçus par un autre processus : INBOUND_PORT n’est pas défini ici',
    returnsNoMx: 'vers {{domain}} n’arrivent jamais : le DNS n’a pas d’enregistrement MX pour lui',
    publicUrl: 'adresse',
    publicUrlReached: '{{url}} répond',
    publicUrlAway: '{{url}} est hors d’atteinte d’ici : {{reason}}',
    publicUrlLocal: '{{url}} : seule cette machine peut s’en servir ; réglez PUBLIC_URL',
    publicUrlPlain: '{{url}} n’est pas en https : le désabonnement en un clic en a besoin',
    receipts: 'reçus',
    receiptsGood:
      'entiers et en ordre : {{receipts, number}}, dont {{erased, number}} de personnes effacées ; en attente : {{waiting, number}} (lus en {{seconds, number(maximumFractionDigits: 1)}} s)',
    receiptFault: {
      removed: '{{newsletter}} : le reçu à la place {{position}} a disparu ({{receipt}}), et personne n’a été effacé',
      altered: '{{newsletter}} : le reçu {{receipt}} à la place {{position}} n’est plus ce qu’il était',
      put_in_later: '{{newsletter}} : le reçu {{receipt}} (place {{position}}) a été ajouté après la date qu’il porte',
      never_chained: '{{newsletter}} : le reçu {{receipt}} a été écrit sans Tirage : il n’est pas dans la chaîne',
      place_missing: '{{newsletter}} : la place {{position}} de la chaîne manque, et peut-être d’autres après elle',
      broken:
        '{{newsletter}} : la place {{position}} (reçu {{receipt}}) ne suit pas la précédente : modifiée, échangée ou insérée',
      end_missing: '{{newsletter}} : la chaîne allait jusqu’à la place {{position}}, et sa fin a disparu',
      end_added: '{{newsletter}} : à partir de la place {{position}}, la chaîne a été écrite sans Tirage',
      checkpoint: '{{newsletter}} : le repère à la place {{position}} n’est pas de cette chaîne, ou d’un autre SECRET',
      more_one: '{{newsletter}} : et encore {{count, number}}',
      more_other: '{{newsletter}} : et encore {{count, number}}',
    },
    secret: 'secret',
    secretSet: 'donné par SECRET',
    secretKept: 'gardé dans {{path}} : mettez-le dans vos sauvegardes',
    space: 'disque',
    spaceFree: '{{gigabytes, number(maximumFractionDigits: 1)}} Go libres pour {{path}}',
    spaceShort: 'seulement {{gigabytes, number(maximumFractionDigits: 1)}} Go libres pour {{path}} ; Tirage veut 1 Go',
    signIn: 'connexion',
    signInMethods: 'mot de passe, lien par email',
    signInSet: '{{name}} : on ne saura s’il accepte ce client qu’à la première connexion',
    openIdFound: '{{name}} donne ses adresses',
    openIdOther: '{{name}} : {{address}} ne décrit pas le fournisseur d’OIDC_ISSUER',
    openIdAway: '{{name}} ne donne pas ses adresses : {{reason}}',
  },
}

export default fr
