import type en from '../en/charge.ts'

export default {
  lead: 'Les abonnements payants : ce que vous vendez, qui l’a, et ce qui vous attend.',
  change: 'Modifier',
  begin: 'Vendez votre première formule',
  beginText:
    'Donnez-lui un nom, une promesse et un prix. Les personnes qui vous paient par virement ou en espèces peuvent lire le jour même.',
  beginPlan: 'Créer une formule',
  due: {
    title: 'Ce qui vous attend',
    none: 'Rien : aucun abonnement ne s’achève dans les 30 jours, et aucun paiement n’a été refusé.',
    ending: 'S’achève dans les 30 jours',
    failed: 'Paiement refusé',
  },
  subscriptions: {
    which: 'Quels abonnements',
    choice: { all: 'Tous', ending: 'Bientôt finis', failed: 'Paiement refusé' },
    lead: {
      all: 'Abonnements en cours et passés, les plus récents d’abord.',
      ending: 'Ils s’achèvent dans les 30 jours et rien ne les renouvelle, la fin la plus proche d’abord.',
      failed: 'Leur banque a refusé un renouvellement, le plus ancien d’abord. Les abonnements de test n’y sont pas.',
    },
    none: 'Aucun',
    nobody: 'Personne n’est encore abonné à une formule',
    nobodyText:
      'Saisissez à la main les personnes qui paient par virement ou en espèces, et celles à qui vous offrez une formule. Les achats par carte arrivent ici d’eux-mêmes.',
    noPlanText: 'Cela commence par une formule : ce que l’on reçoit, et ce que cela coûte.',
    show: 'Voir les {{n}}',
  },
  steps: {
    plan: {
      title: 'Une formule avec un prix',
      text: 'Ce que l’on reçoit, et ce que cela coûte au mois, à l’année ou en une fois.',
      action: 'Créer une formule',
    },
    pay: {
      title: 'Un premier abonnement payant',
      text: 'Saisissez à la main les personnes qui paient par virement ou en espèces : elles peuvent lire le jour même. Avec les clés de Stripe, on s’abonne aussi soi-même, par carte, avec essais et renouvellements.',
      action: 'Relier Stripe',
      byHand: 'En saisir un à la main',
      byHandLater: 'À la main dès qu’il y a une formule',
    },
    paywall: {
      title: 'Une suite réservée dans une publication',
      text: 'Dans l’éditeur, tapez « / » sur une ligne vide et choisissez « À partir d’ici, abonnés payants seulement » : ce qui suit est pour qui paie, sur le web, dans les emails et dans le flux.',
      action: 'Écrire',
    },
    look: {
      title: 'Voir comme un lecteur de passage',
      text: 'Ce que vous vendez, tel que tout le monde le trouve. Une fenêtre privée montre aussi la suite réservée comme la voient les inconnus.',
      action: 'Ouvrir la page des formules',
    },
  },
  works: {
    title: 'Cela marche déjà, sans Stripe',
    aside: 'Rien ici ne demande de clé',
    plans: { title: 'Formules et prix', text: 'Gratuites et payantes, en deux langues, en 25 devises au choix.' },
    outside: { title: 'Payé ailleurs', text: 'Virement, espèces, facture d’une institution.' },
    gifts: {
      title: 'Cadeaux et abonnements offerts',
      text: 'De votre part, pour la durée de votre choix, à la main ou par code.',
    },
    entering: { title: 'Trois façons de saisir', text: 'À la main, depuis un CSV ou par l’API.' },
  },
} satisfies typeof en
