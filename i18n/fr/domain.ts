import type en from '../en/domain.ts'

export default {
  lead: 'Avant de prendre votre courrier, Gmail et les autres vérifient qu’il vient bien de vous. Ils regardent dans le DNS, les réglages publics de votre domaine, que vous changez là où vous l’avez loué. Les enregistrements ci-dessous répondent à votre place ; chacun s’y copie une seule fois. Sans eux, davantage d’emails finissent dans les indésirables ou sont refusés.',
  notShown: 'Les propriétaires et la rédaction de cette newsletter voient son domaine.',
  again: 'Vérifier à nouveau',
  looked: 'Vérifié à {{time}}',
  section: 'Ce que dit le DNS de {{domain}}',
  overall: {
    ready:
      '{{domain}} a ce que Gmail et Yahoo demandent à qui envoie beaucoup : SPF, DKIM et DMARC sont en ordre, et chaque email permet de se désabonner d’un clic.',
    lacking:
      'Gmail et Yahoo demandent SPF, DKIM et DMARC à qui envoie beaucoup. Il reste à régler pour {{domain}} : {{list}}.',
    refused:
      'Gmail et les autres refuseront vos emails ou les classeront en indésirable : la règle DMARC de {{domain}} le demande, car rien ne prouve encore qu’ils viennent de vous. Réglez ce qui est marqué ci-dessous avant d’envoyer.',
    unsure: 'Rien d’anormal pour {{domain}}, mais tout n’a pas pu être vu d’ici.',
    free_mail:
      'Les adresses en {{domain}} appartiennent à leur fournisseur, qui fait refuser ou classer en indésirable les newsletters que d’autres envoient en son nom.',
    local: 'Le courrier part de {{address}}, un domaine que personne ne connaît à l’extérieur.',
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
    spf_covers:
      'Cet enregistrement est la liste de qui peut envoyer en votre nom, et {{place}} y figure. Rien à faire.',
    spf_none:
      '{{domain}} n’a pas encore de liste de qui peut envoyer en votre nom ; sans elle, vos emails ont l’air de faux et finissent souvent dans les indésirables. L’aide de votre relais, le serveur qui envoie vos emails, indique quel enregistrement SPF copier.',
    spf_none_set:
      '{{domain}} n’a pas encore de liste de qui peut envoyer en votre nom ; sans elle, vos emails ont l’air de faux et finissent souvent dans les indésirables. Copiez l’enregistrement qui suit.',
    spf_none_ofServer:
      '{{domain}} n’a pas encore de liste de qui peut envoyer en votre nom ; sans elle, vos emails ont l’air de faux et finissent souvent dans les indésirables.',
    spf_several:
      'Il y a {{count}} listes de qui peut envoyer en votre nom, et aucune ne compte alors. Remplacez-les par une seule qui nomme tous ceux qui y figurent.',
    spf_syntax:
      'La liste de {{domain}} contient « {{term}} », que personne ne sait lire : toute la liste est alors ignorée. Corrigez ce mot ou retirez-le.',
    spf_lookups:
      'Cette liste renvoie à d’autres, et les lire toutes demande {{count}} questions au DNS. Gmail et les autres s’arrêtent à 10, et toute la liste est alors ignorée. Retirez l’« include » d’un service dont vous ne vous servez plus.',
    spf_voids:
      'Cette liste nomme {{count}} serveurs qui n’existent pas ; au-delà de 2, toute la liste est ignorée. Retirez-les.',
    spf_include_none:
      'Cette liste renvoie à {{domain}}, où il n’y a pas de liste, ou plusieurs : toute la liste est alors ignorée. Retirez cet « include », ou corrigez son nom.',
    spf_everybody:
      'Cette liste finit par « +all » : n’importe qui peut envoyer en votre nom, un escroc aussi. Finissez-la par « ~all ».',
    spf_not_covered:
      'Il y a une liste de qui peut envoyer en votre nom, mais {{place}} n’y figure pas : vos emails risquent de finir dans les indésirables. Ajoutez ce qui manque, gardez le reste.',
    spf_cannot_tell:
      'Il y a une liste de qui peut envoyer en votre nom. D’ici, on ne voit pas si {{place}} y figure : demandez-leur quel « include » ajouter.',
    spf_provider:
      'Il y a une liste de qui peut envoyer en votre nom. {{place}} envoie avec sa propre adresse de retour, celle où reviennent les emails non livrés, et c’est là que l’on regarde : réglez-en une dans votre domaine chez lui. Nommer aussi {{place}} dans votre liste ne nuit pas.',
    spf_unknown_address:
      'Il y a une liste de qui peut envoyer en votre nom. Le courrier part de ce serveur, dont l’adresse publique n’est pas connue ici : veillez à ce qu’elle y figure.',
    spf_no_relay:
      'Il y a une liste de qui peut envoyer en votre nom. On saura qui doit y figurer quand le courrier partira par un relais, le serveur qui porte vos emails.',
    spf_failed: 'Le DNS n’a pas répondu pour {{domain}}. Cela passe souvent seul : vérifiez dans un moment.',
    dkim_signs:
      'Chaque email porte une signature qui prouve qu’il vient de vous, et le DNS a les deux clés pour la vérifier. Rien à faire.',
    dkim_signs_rsa_only:
      'Chaque email porte une signature qui prouve qu’il vient de vous, et le DNS a la clé pour la vérifier. La seconde clé, Ed25519, est plus solide et attend encore son enregistrement.',
    dkim_no_keys:
      'Les emails de {{domain}} n’ont pas encore de signature : rien ne prouve qu’ils viennent de vous, et Gmail peut les refuser. Créez des clés plus bas et copiez leurs deux enregistrements.',
    dkim_not_published:
      'Le DNS n’a encore rien à {{name}} : personne ne peut vérifier votre signature. Copiez l’enregistrement montré avec les clés, plus bas.',
    dkim_other_key:
      'L’enregistrement à {{name}} contient une autre clé, ou un morceau de la nôtre : une longue valeur est vite coupée quand on la colle. Recopiez-la en entier.',
    dkim_revoked:
      'L’enregistrement à {{name}} dit que sa clé ne compte plus. Copiez-le comme montré plus bas, ou créez de nouvelles clés.',
    dkim_unreadable:
      'Ce qui se trouve à {{name}} ne se lit pas comme une clé unique. Gardez là un seul enregistrement, celui montré plus bas.',
    dkim_ed25519_only:
      'Le DNS a la clé la plus récente, Ed25519. Beaucoup de messageries ne lisent que l’ancienne sorte, RSA : copiez aussi l’autre enregistrement.',
    dkim_provider:
      '{{place}} signe lui-même, à la place de ce qui a été signé ici, avec une clé que vous réglez chez lui. D’ici, on ne voit pas si c’est fait pour {{domain}} : regardez là-bas.',
    dkim_provider_may:
      'Les emails de {{domain}} ne sont pas encore signés ici. {{place}} peut les signer avec une clé que vous réglez chez lui ; d’ici, on ne voit pas s’il le fait. Les clés créées plus bas signent par quelque chemin que parte le courrier.',
    dkim_failed: 'Le DNS n’a pas répondu au sujet des clés de {{domain}}. Vérifiez dans un moment.',
    dmarc_passes:
      'La règle à {{name}} dit ce qui arrive aux emails qui se font passer pour les vôtres : « {{policy}} ». Les vôtres la respectent.',
    dmarc_watches:
      'La règle à {{name}} est « none » : les emails qui se font passer pour les vôtres arrivent encore, et des rapports disent qui les envoie. Quand ils ne nomment plus que vous, passez à « quarantine » (en indésirable), puis à « reject » (refusés).',
    dmarc_unclear:
      'La règle à {{name}} est « {{policy}} ». D’ici, on n’a pas pu voir si vos propres emails la respectent ; avec les enregistrements DKIM, ils la respecteront.',
    dmarc_none:
      'Aucune règle ne dit encore ce qui arrive aux emails qui se font passer pour ceux de {{domain}} ; Gmail et Yahoo en demandent une. Commencez par « none » : vos emails n’en souffrent pas et des rapports disent qui envoie en votre nom. Quand ils ne nomment plus que vous, passez à « quarantine » (en indésirable), puis à « reject » (refusés).',
    dmarc_several: 'Il y a {{count}} règles à {{name}}, et aucune ne compte alors. Gardez-en une.',
    dmarc_unreadable:
      'L’enregistrement à {{name}} ne donne pas de règle lisible. Il lui faut p=none (laisser passer), p=quarantine (en indésirable) ou p=reject (refuser).',
    dmarc_refuses:
      'La règle à {{name}} est « {{policy}} », et vos propres emails ne la respectent pas encore : ils seraient refusés ou classés en indésirable. Copiez d’abord les enregistrements DKIM ; tant qu’ils ne sont pas vus, ramenez la règle à « none », ou n’envoyez pas.',
    dmarc_failed: 'Le DNS n’a pas répondu au sujet de la règle de {{domain}}. Vérifiez dans un moment.',
    mx_receives: 'Le courrier pour {{domain}} arrive. Rien à faire.',
    mx_none:
      '{{domain}} ne reçoit pas de courrier : les réponses se perdent, et les rebonds aussi, ces emails qui disent qu’une adresse ne marche pas. Votre hébergeur de messagerie indique quel enregistrement MX copier.',
    mx_implicit:
      '{{domain}} ne dit pas qui reçoit son courrier : les réponses vont à ce qui se trouve à son adresse, souvent le site web, et peuvent se perdre. Votre hébergeur de messagerie indique quel enregistrement MX copier.',
    mx_null:
      '{{domain}} dit ne recevoir aucun courrier, et certains refusent les expéditeurs à qui l’on ne peut répondre. Votre hébergeur de messagerie indique quel enregistrement MX mettre à la place.',
    mx_lost:
      'Les serveurs qui devraient recevoir le courrier de {{domain}} n’existent pas : les réponses se perdent. Votre hébergeur de messagerie indique le bon enregistrement MX.',
    mx_bounces:
      'Les rebonds, ces emails qui disent qu’une adresse ne marche pas, vont à {{domain}}, où rien ne reçoit de courrier : personne n’apprend qu’une adresse est morte. Son enregistrement MX doit nommer le serveur où Tirage écoute.',
    mx_failed: 'Le DNS n’a pas répondu pour {{domain}}. Vérifiez dans un moment.',
    ptr_confirmed: 'Le serveur à {{address}} a un nom, et ce nom y ramène. Rien à faire.',
    ptr_none:
      '{{address}}, d’où partent vos emails, n’a pas de nom, et beaucoup refusent le courrier d’un serveur sans nom. Demandez à qui vous loue l’adresse de mettre {{place}} dans son DNS inverse, le nom qui va avec elle.',
    ptr_mismatch:
      'Le nom de {{address}}, d’où partent vos emails, mène ailleurs, et certains refusent le courrier pour cela. Demandez à qui vous loue l’adresse de mettre {{place}} dans son DNS inverse, le nom qui va avec elle.',
    ptr_provider: 'Ceci compte pour qui a son propre serveur d’emails. {{place}} s’en charge pour vous : rien à faire.',
    ptr_no_address:
      'Ceci compte pour qui a son propre serveur d’emails. L’adresse publique d’où part le courrier n’est pas connue ici.',
    ptr_failed: 'Le DNS n’a pas répondu au sujet du nom de {{address}}. Vérifiez dans un moment.',
  },
  found: 'Trouvé',
  set: 'À copier',
  toPassOn: 'À transmettre',
  ofServer:
    '{{domain}} est un domaine de ce serveur : les emails non livrés y reviennent, et c’est là que l’on regarde. La personne qui administre ce serveur en change le DNS ; si ce n’est pas vous, transmettez-le-lui.',
  record: {
    name: 'Nom',
    value: 'Valeur TXT',
    zone: 'Pour un fichier de zone',
    hint: 'Là où vous avez loué votre domaine, ouvrez ses réglages DNS, ajoutez un enregistrement de type TXT, et copiez-y le nom et la valeur. Certains formulaires ajoutent eux-mêmes « .{{domain}} » au nom : n’y écrivez alors pas cette partie.',
  },
  keys: {
    title: 'Les clés qui signent',
    lead: 'Chaque email reçoit une signature que personne ne peut imiter sans vos clés. Il y en a deux, l’une RSA, l’autre Ed25519, plus récente ; chacune a son enregistrement à copier dans le DNS, où les autres trouvent de quoi vérifier la signature. Une clé signe dès que son enregistrement est vu ; nous regardons chaque heure, et à chaque vérification.',
    none: 'Le courrier n’est pas encore signé',
    noneText: 'Créez une paire de clés, copiez leurs deux enregistrements dans le DNS, puis vérifiez.',
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
      'Son enregistrement n’a pas été vu. Les serveurs qui ne le trouvent pas traitent le courrier comme non signé. À ne faire que si vous savez qu’il est en place, par exemple quand ce serveur ne peut interroger le DNS public.',
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
    lackingText:
      'Il reste à régler pour {{domain}} : {{list}}. Certaines messageries classeront l’email en indésirable.',
    refused: 'Cet email sera refusé',
    refusedText: 'La règle DMARC de {{domain}} le demande : rien ne prouve encore qu’il vient de vous.',
    unsure: 'Domaine d’envoi en partie inconnu',
    unsureText: 'Rien d’anormal pour {{domain}} dans ce que le DNS a répondu.',
    free_mail: 'L’adresse d’expéditeur est celle d’un fournisseur de boîtes',
    free_mailText: 'Les newsletters en {{domain}} envoyées par d’autres sont refusées ou classées en indésirable.',
    local: 'L’adresse d’expéditeur n’est pas publique',
    localText: 'Aucun serveur de noms extérieur ne connaît {{domain}}.',
    see: 'Voir',
  },
} satisfies typeof en
