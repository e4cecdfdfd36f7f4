import type en from '../en/ui.ts'

export default {
  found_one: '{{count}} choix',
  found_other: '{{count}} choix',
  actions: 'Actions',
  retry: 'Réessayer',
  signIn: 'Se connecter',
  loading: 'Chargement',
  broken:
    'Quelque chose s’est cassé ici. Ce qui est enregistré est en sécurité ; recharger la page suffit le plus souvent.',
  offline: 'Le serveur ne répond pas. Rien de ce que vous avez tapé n’est perdu ; réessayez dans un instant.',
  unanswered:
    'Le serveur n’a pas donné de réponse lisible. Rien de ce que vous avez tapé n’est perdu ; réessayez dans un instant.',
  keep: 'Garder',
  clicks: {
    humanCount_one: 'humain',
    humanCount_other: 'humains',
    rawCount_one: 'brut',
    rawCount_other: 'bruts',
    ofRaw_one: '{{human}} sur {{raw}} brut',
    ofRaw_other: '{{human}} sur {{raw}} bruts',
    definition:
      'Les clics bruts sont toutes les requêtes vers un lien ; les clics humains, celles de ces requêtes qu’aucune règle publiée n’écarte.',
  },
  csv: 'CSV',
  downloadChart: 'Télécharger en CSV : {{chart}}',
  cancel: 'Annuler',
  nothingFits: 'Rien ne correspond.',
  save: 'Enregistrer',
  saved: 'Enregistré.',
  close: 'Fermer',
  undo: 'Annuler',
  loadMore: 'Afficher la suite',
  copy: 'Copier',
  copied: 'Copié',
  live: 'En direct',
  within: '{{whole}} : {{part}}',
  asOf: 'État à {{time}}',
  typeToConfirm: 'Tapez « {{words}} » pour confirmer',
  subscribers_one: '{{number}} abonné',
  subscribers_other: '{{number}} abonnés',
  role: { owner: 'Propriétaire', editor: 'Rédaction', analyst: 'Lecture seule' },
} satisfies typeof en
