import type en from '../en/help.ts'

export default {
  lead: 'Les questions les plus fréquentes, chacune avec la page qui y répond.',
  part: {
    begin: 'Pour commencer',
    daily: 'Au quotidien',
    server: 'Votre serveur',
    where: 'Où trouver quoi',
    keys: 'Au clavier',
  },
  list: {
    question: 'Comment apporter ma liste ?',
    answer:
      'Exportez-la en CSV de l’outil où elle se trouve (Substack, Mailchimp, beehiiv, Ghost, Kit, listmonk ou un tableur), puis téléversez-la ici. Vous voyez ce qui se passerait avant que rien ne se passe, et aucun désabonné ne revient. Ce sont les personnes qui viennent, pas ce que vous avez publié : collez-le dans de nouvelles publications.',
  },
  test: {
    question: 'Comment voir ce que recevront mes lecteurs ?',
    answer:
      'Ouvrez une publication et cliquez sur « M’envoyer un test » (l’avion en papier sur un téléphone). L’email vous parvient, ou vous attend dans la boîte d’envoi tant qu’aucun relais n’est réglé.',
  },
  relay: {
    question: 'Comment relier mon serveur d’emails ?',
    answer:
      'Ajoutez un relais : l’hôte, l’identifiant et le mot de passe de votre serveur, ou la clé d’un prestataire d’envoi. Sans relais, tous les emails sont retenus ici et ne parviennent à personne.',
  },
  domain: {
    question: 'Comment envoyer depuis mon propre domaine ?',
    answer:
      'Choisissez une adresse d’expéditeur dans votre domaine. Créez ensuite des clés et copiez chez votre hébergeur DNS les enregistrements affichés. La page dit ce qui est en ordre et ce qui manque.',
  },
  form: {
    question: 'Comment s’abonner depuis mon propre site ?',
    answer:
      'Copiez le formulaire dans vos pages ; il fonctionne sans script. Ou faites un lien vers votre page d’abonnement.',
  },
  together: {
    question: 'Comment écrire à plusieurs ?',
    answer:
      'Invitez des personnes par email, comme propriétaire, à la rédaction ou en lecture seule. Si deux personnes changent le même texte, les deux versions s’affichent et rien n’est perdu.',
  },
  paid: {
    question: 'Comment faire payer mes lecteurs ?',
    answer:
      'Créez des formules. Les abonnements payés par virement ou en espèces se saisissent à la main ; reliez Stripe, et les lecteurs paient par carte. En mode test, aucun argent ne circule : tout peut d’abord être essayé.',
  },
  sponsors: {
    question: 'Comment vendre de l’espace à des annonceurs ?',
    answer:
      'Créez un emplacement avec son prix et insérez-le dans vos publications. Les annonceurs le réservent sur leur propre page, et ce qu’ils ont acheté paraît tout seul.',
  },
  arrived: {
    question: 'Pourquoi un email n’est-il pas arrivé ?',
    answer:
      'Ouvrez la publication, puis ses exemplaires. Chacun dit ce qu’il est devenu, dans les mots du serveur qui a répondu.',
  },
  address: {
    question: 'Comment publier à ma propre adresse ?',
    answer:
      'Démarrez le serveur avec elle : <code>PUBLIC_URL=https://lettre.exemple.fr npm start</code>. Les liens des emails et des pages suivent. <code>npm run tirage -- doctor</code> dit si elle est joignable.',
  },
  backup: {
    question: 'Comment sauvegarder ?',
    answer:
      'Arrêtez le serveur, copiez son dossier de données (<code>data</code>, ou ce que dit <code>DATA_DIR</code>), puis redémarrez. Avec votre propre PostgreSQL : <code>pg_dump --format=custom</code>, le dossier <code>media</code> et votre <code>SECRET</code>.',
  },
  restore: {
    question: 'Comment restaurer, ou changer de machine ?',
    answer:
      'Remettez le dossier en place, sur cette machine ou une autre, et lancez-y <code>npm start</code>. Avec votre propre PostgreSQL, commencez par <code>pg_restore</code> dans une base vide. Essayez avant d’en avoir besoin.',
  },
  upgrade: {
    question: 'Comment mettre à jour ?',
    answer:
      'Faites une sauvegarde, puis <code>git pull && npm start</code>. Les données se mettent à jour toutes seules.',
  },
  leave: {
    question: 'Comment emporter mes abonnés ailleurs ?',
    answer: 'Exportez-les, avec leurs étiquettes, leurs champs et leur état, en CSV ou en JSON.',
  },
  more: 'Tous les réglages du serveur, ses limites et le passage à plusieurs machines sont dans <code>docs/operating.md</code>, dans le dossier du programme.',
  programs: 'Tout ce que fait cette application, pour vos propres programmes.',
  keys: {
    singleOff:
      'Les raccourcis d’une seule touche sont désactivés. Ils se réactivent dans <profile>votre profil</profile>.',
    single: 'Les raccourcis d’une seule touche se désactivent dans <profile>votre profil</profile>.',
    find: 'Aller partout : pages, publications, abonnés, liens',
    insert: 'Dans un paragraphe vide : insérer quelque chose ; dans la liste des abonnés : chercher',
    enter: 'Entrée',
    settings: 'Sur une image, un bouton ou une note sélectionnés : dans leurs réglages ; Échap ramène au texte',
    tools: 'Dans le texte : aux outils au-dessus ; Échap y ramène',
  },
  where: {
    dashboard: 'Comment va votre newsletter, et que faire ensuite.',
    publish: 'Écrire, relire, envoyer ; ce qui est parti, et ce qu’il en est advenu.',
    subscribers: 'Vos lecteurs, avec étiquettes, segments et imports.',
    advertise: 'Liens courts, campagnes, annonceurs et recommandations.',
    charge: 'Formules, paiements et ce qu’ils rapportent.',
    outbox: 'Les emails retenus sur ce serveur, qui ne sont parvenus à personne.',
    settings: 'Nom, apparence, expéditeur, relais, domaine, membres et clés.',
  },
} satisfies typeof en
