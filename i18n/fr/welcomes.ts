import type en from '../en/welcomes.ts'

export default {
  title: 'Bienvenue',
  ofNewsletter:
    'Toute personne qui confirme à partir de maintenant reçoit cette publication, une seule fois. Une personne qui part puis revient ne la reçoit pas de nouveau.',
  ofSegment:
    'Toute personne qui entre dans ce segment à partir de maintenant reçoit cette publication, une seule fois. Celles qui y sont aujourd’hui ne la reçoivent pas, et changer ses conditions ne l’envoie à personne.',
  publication: 'Publication',
  publicationHint:
    'Une publication déjà écrite, en ligne ou encore brouillon. C’est son texte au moment du départ qui est envoyé.',
  choose: 'Choisir une publication',
  nothing: 'Rien trouvé',
  delay: 'Quand',
  atOnce: 'Aussitôt',
  days_one: 'Après {{n}} jour',
  days_other: 'Après {{n}} jours',
  start: 'Souhaiter la bienvenue',
  change: 'Changer la bienvenue',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  end: 'Mettre fin à la bienvenue',
  endAsk: 'Mettre fin à cette bienvenue ?',
  endText_zero: 'Personne ne l’attend.',
  endText_one: 'Une personne qui l’attend ne la recevra pas.',
  endText_other: '{{n}} personnes qui l’attendent ne la recevront pas.',
  state: { on: 'En cours', preparing: 'En préparation', paused: 'En pause', stopped: 'Arrêtée' },
  preparing:
    'Toutes les personnes qui sont déjà dans le segment sont notées, pour que la bienvenue ne leur parvienne pas. Les personnes qui arrivent pendant ce temps la reçoivent dès que c’est fait.',
  held: 'Rien ne part. Les personnes qui arrivent entre-temps la reçoivent quand vous la faites reprendre.',
  stoppedText: 'Elle s’est arrêtée d’elle-même.',
  accepted: 'Acceptés par le relais',
  caught: 'Retenus sur cette machine',
  waiting: 'En attente',
  earlier_one:
    'Parmi les personnes en attente, {{n}} est arrivée plus tôt et recevra la publication choisie à ce moment-là.',
  earlier_other:
    'Parmi les personnes en attente, {{n}} sont arrivées plus tôt et recevront la publication choisie à ce moment-là.',
  earlierPaused: 'Celle-là reste en pause jusqu’à ce que vous cliquiez sur « {{button}} ».',
  stillGet_one: '{{n}} personne attend « {{title}} » et la recevra quand même.',
  stillGet_other: '{{n}} personnes attendent « {{title}} » et la recevront quand même.',
  failed: 'Refusés',
  uncertain: 'Incertains',
  deliveries: 'Voir les exemplaires',
  set: '« {{title}} » est maintenant la bienvenue.',
  ended: 'La bienvenue a pris fin.',
  mark: 'Bienvenue',
  onEdit:
    'Cette publication est une bienvenue en cours : la prochaine personne accueillie reçoit le texte tel qu’il est alors enregistré.',
  onEditHeld:
    'Cette publication est une bienvenue en pause. Quand elle reprendra, ses emails auront le texte tel qu’il est alors enregistré.',
  onSend:
    'Cette publication est une bienvenue. Les personnes qui l’ont reçue ainsi ne la reçoivent pas une seconde fois.',
} satisfies typeof en
