import type en from '../en/domain.ts'

export default {
  lead: 'Avant de prendre votre courrier, Gmail et les autres vérifient qu’il vient bien de vous. Ils regardent dans le DNS, les réglages publics de votre domaine, que vous changez là où vous l’avez loué. Les enregistrements ci-dessous répondent à votre place ; chacun s’y pose une seule fois.',
  notShown: 'Les propriétaires et la rédaction de cette newsletter voient son domaine.',
  again: 'Vérifier à nouveau',
  looked: 'Vérifié à {{time}}',
  section: 'Ce que dit le DNS de {{domain}}',
  overall: {
    ready:
      '{{domain}} a ce que Gmail et Yahoo demandent à qui envoie beaucoup : SPF, DKIM et DMARC sont en ordre, et chaque email se quitte d’un clic.',
    lacking:
      'Gmail et Yahoo demandent SPF, DKIM et DMARC à qui envoie beaucoup. Il reste à régler pour {{domain}} : {{list}}.',
    refused:
      'Ce courrier sera refusé ou classé en indésirable : la règle de {{domain}} le demande, car rien ne prouve encore qu’il vient de vous. Réglez ce qui est marqué ci-dessous avant d’envoyer.',
    unsure: 'Rien d’anormal pour {{domain}}, mais tout n’a pas pu être vu d’ici.',
    free_mail:
      'Les adresses en {{domain}} appartiennent à leur fournisseur. Par DMARC, les newsletters que d’autres envoient en son nom sont refusées ou classées en indésirable.',
    local: 'Le courrier part de {{address}}, un domaine qu’aucun serveur de noms extérieur ne connaît.',
  },
  instead:
    'Prenez une adresse d’expéditeur dans un domaine à vous. Les réponses peuvent continuer d’aller à votre adresse actuelle : indiquez-la sous « Les réponses vont à ».',
  toSender: 'Réglages de l’expéditeur',
  state: { good: 'En ordre', missing: 'Manque', wrong: 'Erreur', unknown: 'Inconnu' },
  check: {
    spf: 'SPF : qui peut envoyer en votre nom',
    dkim: 'DKIM : la signature de chaque email',
    dmarc: 'DMARC : le sort du courrier qui n’est pas de vous',
    mx: 'MX : où arrivent réponses et rebonds',
    ptr: 'PTR : le nom du serveur qui envoie',
  },
  short: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', mx: 'MX', ptr: 'PTR' },
  reason: {
    spf_covers: 'L’enregistrement autorise {{place}} à envoyer.',
    spf_none:
      '{{domain}} n’a pas encore d’enregistrement SPF. L’aide de votre relais, le serveur qui envoie vos emails, indique lequel poser.',
    spf_none_set: '{{domain}} n’a pas encore d’enregistrement SPF. Posez celui qui suit.',
    spf_several:
      'Il y a {{count}} enregistrements SPF. Les destinataires n’en suivent alors aucun : remplacez-les par un seul qui dit tout.',
    spf_syntax:
      'Les destinataires ne savent pas lire « {{term}} » dans l’enregistrement de {{domain}}, et n’en suivent rien.',
    spf_lookups:
      'L’enregistrement demande {{count}} requêtes DNS, et les destinataires s’arrêtent à 10. Retirez un include devenu inutile, ou écrivez des adresses à sa place.',
    spf_voids:
      'L’enregistrement nomme {{count}} hôtes qui n’existent pas, et les destinataires s’arrêtent à 2. Retirez-les.',
    spf_include_none:
      'L’enregistrement inclut {{domain}}, qui n’a pas d’enregistrement SPF unique. Retirez ou corrigez ce renvoi.',
    spf_everybody:
      'L’enregistrement finit par « +all » : n’importe qui peut envoyer en votre nom. Finissez par « ~all ».',
    spf_not_covered:
      'Il y a un enregistrement, mais il n’autorise pas {{place}}. Ajoutez ce qui manque, gardez le reste.',
    spf_cannot_tell:
      'Il y a un enregistrement lisible. S’il couvre les adresses d’où {{place}} envoie ne se voit pas d’ici : demandez-leur quoi inclure.',
    spf_provider:
      'Il y a un enregistrement lisible. {{place}} envoie avec une adresse de retour à lui, et c’est là que l’on regarde : réglez-en une dans votre domaine chez lui. Nommer aussi {{place}} dans votre enregistrement ne nuit pas.',
    spf_unknown_address:
      'Il y a un enregistrement lisible. Le courrier part de ce serveur, dont l’adresse publique n’est pas connue ici : veillez à ce que l’enregistrement la nomme.',
    spf_no_relay:
      'Il y a un enregistrement lisible. Qui il doit autoriser se saura quand le courrier partira par un relais, le serveur qui porte vos emails.',
    spf_failed:
      'Les serveurs de noms de {{domain}} n’ont pas répondu. Cela passe souvent seul : vérifiez dans un moment.',
    dkim_signs: 'Chaque email est signé, en RSA et en Ed25519, et le DNS a les deux clés.',
    dkim_signs_rsa_only:
      'Chaque email est signé, et le DNS a la clé. La seconde, Ed25519, est plus solide et attend encore son enregistrement.',
    dkim_no_keys:
      'Rien n’est encore signé pour {{domain}}. Créez des clés plus bas et posez leurs deux enregistrements.',
    dkim_not_published: 'Il n’y a encore rien à {{name}}. Posez l’enregistrement montré avec les clés, plus bas.',
    dkim_other_key:
      'L’enregistrement à {{name}} contient une autre clé, ou un morceau de la nôtre. Recopiez-le en entier.',
    dkim_revoked:
      'L’enregistrement à {{name}} dit que sa clé est révoquée. Posez-le comme montré plus bas, ou créez de nouvelles clés.',
    dkim_unreadable:
      'Ce qui se trouve à {{name}} n’est pas une clé unique et lisible. Gardez là un seul enregistrement, celui montré plus bas.',
    dkim_ed25519_only:
      'Le DNS a la clé Ed25519. Beaucoup de destinataires ne lisent que RSA : posez aussi l’autre enregistrement.',
    dkim_provider:
      '{{place}} change ce qui a été signé ici et signe lui-même, avec une clé que vous réglez chez lui. Si c’est fait pour {{domain}} ne se voit pas d’ici : regardez là-bas.',
    dkim_provider_may:
      'Rien n’est encore signé ici pour {{domain}}. {{place}} peut signer avec une clé que vous réglez chez lui ; s’il le fait ne se voit pas d’ici. Les clés créées plus bas signent par quelque chemin que parte le courrier.',
    dkim_failed: 'Les serveurs de noms de {{domain}} n’ont pas répondu au sujet des clés. Vérifiez dans un moment.',
    dmarc_passes: 'La règle à {{name}} est « {{policy}} », et votre courrier la respecte.',
    dmarc_watches:
      'La règle à {{name}} est « none » : rien n’est refusé à cause d’elle, et ses rapports disent qui envoie en votre nom. Passez à « quarantine », puis à « reject », quand ils sont nets.',
    dmarc_unclear:
      'La règle à {{name}} est « {{policy}} ». Si votre courrier la respecte n’a pas pu être vu ; avec les enregistrements DKIM, il la respectera.',
    dmarc_none:
      'Il n’y a pas encore de règle pour {{domain}}. Commencez par « none » : votre courrier n’en souffre pas et les rapports arrivent. Passez à « quarantine », puis à « reject », quand les rapports sont nets.',
    dmarc_several: 'Il y a {{count}} règles à {{name}}, et les destinataires n’en suivent alors aucune. Gardez-en une.',
    dmarc_unreadable:
      'L’enregistrement à {{name}} ne donne pas de règle lisible. Il lui faut p=none, p=quarantine ou p=reject.',
    dmarc_refuses:
      'La règle à {{name}} est « {{policy}} », et votre courrier ne la respecte pas encore. Posez d’abord les enregistrements DKIM ; d’ici là, assouplissez la règle ou n’envoyez pas.',
    dmarc_failed: 'Les serveurs de noms n’ont pas répondu au sujet de la règle de {{domain}}. Vérifiez dans un moment.',
    mx_receives: 'Le courrier pour {{domain}} arrive.',
    mx_none:
      '{{domain}} ne reçoit pas de courrier : les réponses à votre newsletter et les rebonds se perdent. Posez un enregistrement MX chez votre hébergeur de messagerie.',
    mx_implicit:
      '{{domain}} n’a pas d’enregistrement MX : le courrier va à ce qui se trouve à son adresse, souvent un serveur web. Posez-en un chez votre hébergeur de messagerie.',
    mx_null:
      '{{domain}} dit ne recevoir aucun courrier, et certains refusent les expéditeurs à qui l’on ne peut répondre.',
    mx_lost: 'Les serveurs qui devraient recevoir le courrier de {{domain}} n’existent pas.',
    mx_bounces:
      'Les rebonds vont à {{domain}}, et rien n’y reçoit de courrier. Pointez son MX vers le serveur où Tirage écoute.',
    mx_failed: 'Les serveurs de noms de {{domain}} n’ont pas répondu. Vérifiez dans un moment.',
    ptr_confirmed: 'Le nom de {{address}} y ramène bien.',
    ptr_none:
      '{{address}} n’a pas de nom. Demandez à qui vous loue l’adresse d’y mettre le nom inverse {{place}} ; beaucoup refusent le courrier des adresses sans nom.',
    ptr_mismatch:
      'Le nom de {{address}} mène ailleurs. Demandez à qui vous loue l’adresse d’y mettre le nom inverse {{place}}.',
    ptr_provider:
      'Ceci compte si vous avez votre propre serveur d’emails. Les adresses d’où {{place}} envoie, c’est à eux de les nommer.',
    ptr_no_address:
      'Ceci compte si vous avez votre propre serveur d’emails. L’adresse publique d’où part le courrier n’est pas connue ici.',
    ptr_failed: 'Personne n’a répondu au sujet du nom de {{address}}. Vérifiez dans un moment.',
  },
  found: 'Trouvé',
  set: 'À poser',
  record: {
    name: 'Nom',
    value: 'Valeur TXT',
    zone: 'Pour un fichier de zone',
    hint: 'Certains formulaires ajoutent eux-mêmes « .{{domain}} » au nom : n’y écrivez alors pas cette partie.',
  },
  keys: {
    title: 'Les clés qui signent',
    lead: 'Chaque email reçoit une signature que personne ne peut imiter sans vos clés. Il y en a deux, RSA et Ed25519, chacune avec un enregistrement à poser. Une clé signe dès que son enregistrement est vu dans le DNS ; nous regardons chaque heure, et à chaque vérification.',
    none: 'Le courrier n’est pas encore signé.',
    noneText: 'Créez une paire de clés, posez leurs deux enregistrements, puis vérifiez.',
    make: 'Créer des clés',
    renew: 'Nouvelles clés',
    renewText:
      'De nouvelles clés ont leurs propres noms. Celles d’aujourd’hui signent jusqu’à ce que les nouveaux enregistrements soient vus : rien ne part sans signature entre-temps.',
    waiting: 'Attend son enregistrement',
    active: 'Signe',
    retired: 'Ne signe plus',
    unseen: 'Signe, jamais vue dans le DNS',
    since: 'Depuis le {{date}}',
    made: 'Créée le {{date}}',
    until: 'Laissez son enregistrement jusqu’au {{date}}, pour le courrier en route. Puis retirez les deux.',
    other: 'Le DNS a une autre clé sous ce nom.',
    revoked: 'Le DNS dit que cette clé est révoquée.',
    unreadable: 'Ce que le DNS a sous ce nom est illisible.',
    former: 'Pour {{domain}}',
    show: 'Montrer l’enregistrement',
    force: 'Signer sans attendre',
    forceAsk: 'Signer avec {{selector}} maintenant ?',
    forceText:
      'Son enregistrement n’a pas été vu. Qui ne le trouve pas traite le courrier comme non signé. À ne faire que si vous savez qu’il est en place, par exemple quand ce serveur ne peut interroger le DNS public.',
    wait: 'Attendre encore',
    retire: 'Cesser de signer',
    retireAsk: 'Cesser de signer avec {{selector}} ?',
    retireText:
      'Elle ne signera plus rien et ne pourra pas revenir. Laissez son enregistrement une semaine, pour le courrier en route.',
    remove: 'Retirer',
    removeAsk: 'Retirer {{selector}} ?',
    removeText: 'La clé disparaît pour de bon. Retirez aussi son enregistrement chez votre fournisseur DNS.',
    actions: 'Que faire de {{selector}}',
  },
  flight: {
    ready: 'Domaine d’envoi en ordre',
    readyText: 'SPF, DKIM et DMARC sont bons pour {{domain}}',
    lacking: 'Il manque un enregistrement ou deux au domaine d’envoi',
    lackingText: 'Il reste à régler pour {{domain}} : {{list}}. Certaines messageries la classeront en indésirable.',
    refused: 'Cet email sera refusé',
    refusedText: 'La règle de {{domain}} le demande : rien ne prouve encore qu’il vient de vous.',
    unsure: 'Domaine d’envoi pas entièrement connu',
    unsureText: 'Rien d’anormal pour {{domain}} dans ce que le DNS a répondu.',
    free_mail: 'L’adresse d’expéditeur est celle d’un fournisseur de boîtes',
    free_mailText: 'Les newsletters en {{domain}} envoyées par d’autres sont refusées ou classées en indésirable.',
    local: 'L’adresse d’expéditeur n’est pas publique',
    localText: 'Aucun serveur de noms extérieur ne connaît {{domain}}.',
    see: 'Voir',
  },
} satisfies typeof en
