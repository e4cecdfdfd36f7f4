import type en from '../en/outbox.ts'

export default {
  caughtTitle: 'Les emails sont retenus ici : personne ne les reçoit.',
  howToSend: 'Envoyer réellement',
  caughtText:
    'Aucun relais, le serveur qui porterait vos emails, n’est réglé : ceux de cette newsletter attendent sur cette page, avec ceux qui n’ont que vous pour destinataire ; les 1 000 derniers de ce serveur sont gardés. Pour envoyer réellement, <relays>ajoutez un relais</relays>, ou démarrez le serveur avec un relais pour tous : <example>SMTP_URL=smtps://nom:motdepasse@smtp.exemple.fr</example>',
  relayTitle: 'Un relais est réglé.',
  relayText:
    'Les nouveaux emails partent par lui. Ceux qui suivent ont été retenus auparavant et ne sont parvenus à personne.',
  search: 'Chercher un objet ou une adresse',
  empty: 'Aucun email retenu',
  emptyText: 'Confirmations, tests et publications apparaissent ici au moment de leur envoi.',
  noneFound: 'Rien trouvé',
  nothingFits: 'Aucun email retenu ne contient ces mots.',
  confirmFirst: 'Confirmez votre adresse dans cet email, puis continuez.',
  choose: 'Choisissez un email pour le lire.',
  noSubject: 'Sans objet',
  noText: 'Cet email n’a pas de texte brut.',
  fromTo: 'De {{from}} à {{to}}',
  weight: '{{html}} de HTML, {{all}} avec les en-têtes et le texte brut',
  back: 'Revenir à la liste',
  html: 'Email',
  text: 'Texte brut',
  headers: 'En-têtes',
  source: 'Source',
} satisfies typeof en
