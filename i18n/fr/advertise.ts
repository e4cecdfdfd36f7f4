import type en from '../en/advertise.ts'

export default {
  lead: 'Posez une question à vos lecteurs, vendez des emplacements aux annonceurs, échangez des recommandations avec d’autres newsletters, et créez des liens courts pour ce que vous imprimez ou partagez.',
  unconfirmed: 'Les demandes des annonceurs ne vous sont pas encore envoyées par email',
  last: 'Vos derniers liens courts',
  openRecommendations: 'Toutes les recommandations',
  exchanged: 'En 90 jours, lecteurs confirmés chez d’autres : {{given}}. Lecteurs confirmés ici : {{received}}.',
  all: 'Tous les liens courts',
  charts: {
    revenue: 'L’argent des annonceurs par mois',
    clicks: 'Clics sur vos liens sur 30 jours',
    places: 'Emplacements et liens les plus suivis sur 30 jours',
    yeses: 'Oui confirmés sur 90 jours',
  },
  money: { month: 'Mois', booked: 'Réservé', paid: 'Payé', givenBack: 'Remboursé' },
  reports: 'Ce qui a paru',
  live: 'En cours',
  final: 'Définitif',
  notCounted: 'Non compté',
  steps: {
    link: {
      title: 'Un lien court',
      text: 'Pour une affiche, un profil ou une autre newsletter : une adresse courte, avec un code QR à imprimer, qui pourra mener ailleurs plus tard.',
      action: 'Créer un lien',
    },
    placement: {
      title: 'Un emplacement pour les annonceurs',
      text: 'Où ils paraissent, combien de mots ils ont et ce que cela coûte. Les réservations ont ensuite un calendrier, et aucun jour n’est vendu deux fois.',
      action: 'Créer un emplacement',
    },
    campaign: {
      title: 'Une question à vos lecteurs',
      text: 'Une offre avec sa propre page, où l’on dit oui ou non : chaque oui laisse un reçu. À un annonceur, seules les adresses confirmées sont transmises.',
      action: 'Interroger vos lecteurs',
    },
  },
} satisfies typeof en
