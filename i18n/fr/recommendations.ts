import type en from '../en/recommendations.ts'

export default {
  lead: 'Les personnes qui viennent de confirmer leur abonnement voient jusqu’à cinq newsletters que vous recommandez. Rien n’est coché ; elles choisissent.',
  ours: 'Vos recommandations',
  oursLead: 'Vingt au plus, dans cet ordre. Les lecteurs voient les cinq premières qui peuvent être montrées.',
  noneTitle: 'Vous ne recommandez encore rien',
  none: 'Les lecteurs qui viennent de vous dire oui aiment qu’on leur indique une bonne lecture.',
  add: 'Recommander une newsletter',
  which: 'Quelle newsletter',
  byAddress: 'Une autre, par son adresse',
  address: 'Son nom ou son adresse',
  whichHint:
    'Le nom dans son adresse sur ce serveur, ou l’adresse de sa page d’abonnement, ici ou sur un autre serveur Tirage.',
  look: 'La chercher',
  remote: {
    found: '{{name}}, sur {{host}}',
    check: 'Voici ce que dit son serveur, avec sa signature. Est-ce bien celle que vous cherchez ?',
    language: 'Langue : {{language}}',
    key: 'Sa clé',
    keyHint: 'Désormais, seul compte ce qui est signé de cette clé.',
    on: 'sur {{host}}',
    demo: 'sur {{host}}, inventé pour la démonstration : on ne peut rien lui demander',
    note: 'On s’y abonne par un lien. Les confirmations sont comptées là-bas.',
    changedName:
      'Elle s’appelle maintenant « {{name}} ». On voit l’ancien nom tant que vous n’acceptez pas le nouveau.',
    changedKey:
      'Elle signe maintenant d’une autre clé, donc ce qu’elle dit ne compte plus. Demandez à ses responsables si c’est voulu avant d’accepter. Nouvelle clé : {{key}}',
    clockAhead:
      'L’horloge de son serveur avance de {{time}} sur celle de ce serveur-ci, ou c’est la nôtre qui retarde. On voit cette newsletter comme avant.',
    clockBehind:
      'Ce que disait son serveur datait de {{time}} quand on l’a lu : son horloge retarde, ou la nôtre avance. On voit cette newsletter pendant 14 jours à partir de cette date.',
    refused: {
      remote_unreachable: 'La dernière fois, son serveur n’a donné aucune réponse utilisable.',
      remote_invalid:
        'La dernière fois, la réponse de son serveur n’était pas un document valable de cette newsletter.',
      remote_ahead:
        'Le dernier document de son serveur porte une date qui a plus de 14 jours d’avance sur l’horloge de ce serveur-ci ; il ne compte donc pas. L’une des deux horloges est fausse : demandez aux responsables des deux serveurs.',
      remote_over:
        'D’après l’horloge de ce serveur-ci, le dernier document de son serveur n’est plus valable ; il ne compte donc pas. L’une des deux horloges est fausse, ou c’est un ancien document : demandez aux responsables des deux serveurs.',
      remote_older:
        'Le dernier document de son serveur est daté d’avant celui qui a été lu plus tôt ; il ne compte donc pas : son horloge a été retardée, ou c’est un ancien document. Un document daté d’après le {{date}} comptera de nouveau.',
    },
    shownUntil: 'On la voit jusqu’au {{date}}, sauf si son serveur la renouvelle.',
    accept: 'Accepter',
    acceptOne: 'Accepter ce que dit maintenant {{other}}',
    arrivals: 'Depuis d’autres serveurs',
    arrivalsLead:
      'Les personnes venues par un lien qui nomme une newsletter d’un autre serveur, et qui ont confirmé, depuis le début. Rien ne le prouve : on peut écrire n’importe quel nom dans un lien.',
    others: 'Toutes les autres',
    last: 'Dernière',
  },
  reasonIn: 'Pourquoi, en une phrase ({{language}})',
  reasonHint: 'Elle se lit sous le nom.',
  save: 'Enregistrer',
  change: 'Modifier',
  changeOne: 'Modifier ce que vous dites de {{other}}',
  remove: 'Retirer',
  removeOne: 'Retirer {{name}}',
  removeAsk: 'Ne plus recommander {{name}} ?',
  removeText: 'Elle n’est plus montrée. Ses chiffres restent, et reviennent si vous la recommandez de nouveau.',
  up: 'Monter {{name}}',
  down: 'Descendre {{name}}',
  states: {
    shown: 'Montrée',
    next: 'Attend derrière les cinq premières',
    waiting: 'Attend leur accord',
    declined: 'Elle ne le souhaite pas',
    gone: 'Supprimée',
    stale: 'Pas montrée : son serveur ne l’a pas renouvelée depuis 14 jours',
  },
  theirStates: {
    shown: 'Montrée',
    waiting: 'Attend votre accord',
    declined: 'Refusée',
    ended: 'Terminée',
  },
  theirs: 'On vous recommande',
  theirsLead:
    'Les abonnés venus par là ont confirmé leur adresse et coché votre newsletter, avec un reçu de consentement à part.',
  theirWords: 'Ce qu’on dit de vous :',
  theirsNone: 'Personne ne recommande encore cette newsletter.',
  policy: 'Qui peut recommander cette newsletter',
  policies: {
    everybody: 'Toutes celles de ce serveur',
    accepted: 'Celles que vous acceptez',
    nobody: 'Personne',
  },
  policySaved: 'Enregistré.',
  accept: 'Accepter',
  acceptOne: 'Accepter la recommandation de {{other}}',
  decline: 'Refuser',
  declineOne: 'Refuser la recommandation de {{other}}',
  period: 'Période',
  periods: { month: 'Les 30 derniers jours', quarter: 'Les 90 derniers jours', always: 'Depuis le début' },
  counts: {
    newsletter: 'Newsletter',
    shown: 'Montrée',
    chosen: 'Choisie',
    confirmed: 'Confirmée',
    stayed: 'Après 14 jours',
    stayedOf: '{{still}} sur {{of}}',
  },
  countsHint:
    'Montrée : sur la page qui suit une confirmation ou un oui à une campagne. Choisie : cochée, avec un oui. Confirmée : nouveaux abonnés venus par là. Après 14 jours : parmi ceux dont les 14 jours sont passés, qui était encore là. Les jours sont comptés en temps universel (UTC).',
  csv: 'En CSV',
  page: {
    heading: 'D’autres lectures',
    title: '{{newsletter}} recommande aussi',
    text: 'Cochez ce que vous aimeriez recevoir en plus, à la même adresse. On se désabonne de chacune séparément.',
    textAsked:
      'Cochez ce que vous aimeriez recevoir en plus. Chacune vous le demande d’abord par email, car cette page a pu être transmise.',
    yes: 'M’abonner à ce que j’ai coché',
    yesAsked: 'Me le demander par email',
    none: 'Rien n’était coché, donc rien n’a changé. Cochez-en au moins une, ou fermez cette page.',
    done: 'C’est fait.',
    notDone: 'Encore une étape',
    joined: '{{newsletter}} vous arrive désormais.',
    already: 'Vous lisez déjà {{newsletter}}, et rien n’y change.',
    elsewhere: '{{newsletter}}, sur {{host}}. Je m’y abonne moi-même.',
    there: '{{newsletter}} est sur un autre serveur, {{host}}.',
    asked:
      '{{newsletter}} vous le demande par email, sauf si vous la lisez déjà ou l’avez quittée. Rien ne vient avant votre confirmation.',
    not: '{{newsletter}} n’a pas été ajoutée d’ici.',
    own: 'S’abonner sur sa propre page',
    over: 'Il est trop tard pour choisir',
    overText:
      'Vous pouvez choisir pendant une heure après votre oui, dans le même navigateur. La page de chaque newsletter vous reste ouverte.',
  },
} satisfies typeof en
