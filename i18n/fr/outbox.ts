import type en from '../en/outbox.ts'

export default {
  caughtTitle: 'Le courrier est retenu ici. Personne ne le reçoit.',
  caughtText:
    'Aucun relais n’est réglé : le courrier de cette newsletter attend sur cette page ; les 1 000 derniers emails de ce serveur sont gardés. Pour envoyer réellement, <relays>ajoutez un relais</relays>, ou démarrez le serveur avec un relais pour tous : <example>SMTP_URL=smtps://nom:motdepasse@smtp.exemple.fr</example>',
  relayTitle: 'Un relais est réglé.',
  relayText: 'Le nouveau courrier part par lui. Ce qui suit a été retenu auparavant et n’est parvenu à personne.',
  search: 'Chercher un objet ou une adresse',
  empty: 'Aucun courrier retenu.',
  emptyText: 'Confirmations, essais et publications apparaissent ici au moment de leur envoi.',
  nothingFits: 'Aucun courrier retenu ne contient ces mots.',
  choose: 'Choisissez un email pour le lire.',
  noSubject: 'Sans objet',
  noText: 'Cet email n’a pas de texte brut.',
  fromTo: 'De {{from}} à {{to}}',
  back: 'Revenir à la liste',
  html: 'Email',
  text: 'Texte brut',
  headers: 'En-têtes',
  source: 'Source',
} satisfies typeof en
