import type en from '../en/sample.ts'

export default {
  title: 'Un exemple de lettre',
  subtitle: 'Pour voir à quoi la vôtre ressemblera dans une boîte de réception',
  greeting: 'Bonjour {name},',
  reader: 'à vous',
  what: 'Cette lettre est un exemple. Personne d’autre que vous ne l’a reçue, et elle reste un brouillon : modifiez-la, reprenez-en un passage ou supprimez-la.',
  seenTitle: 'Ce que vous voyez',
  seen: 'Le nom de votre newsletter est en tête, sa couleur parcourt la page, et le web montre la même chose que l’email. Vous écrivez une fois. Tirage compose les deux et y joint une version en texte brut, pour ceux qui la préfèrent.',
  quote: 'On lit une lettre parce que quelqu’un l’a écrite. Le reste peut attendre.',
  nextTitle: 'Et ensuite',
  next: {
    write: 'Écrivez la première. Tapez / dans l’éditeur : titres, images, citations et boutons sont là.',
    test: 'Envoyez-vous un test autant de fois que vous voulez : il ne compte dans aucun chiffre et ne désabonne personne.',
    invite: 'Faites venir les premiers lecteurs. Votre page d’abonnement est déjà ouverte.',
  },
  button: 'Voir votre page d’abonnement',
  arrived: 'Voici la lettre, telle qu’elle arrive',
  outbox:
    'Si vous la lisez dans la boîte d’envoi, aucun relais n’est encore configuré et aucun email ne quitte ce serveur.',
} satisfies typeof en
