import type en from '../en/digests.ts'

export default {
  title: 'Moins souvent',
  lead: 'Si vous le proposez, vos abonnés peuvent choisir un seul email par semaine ou par mois à la place de chaque publication. Il réunit ce qui a paru depuis le précédent, et part de lui-même. Quand rien n’a paru, rien n’est envoyé.',
  offer: 'Proposer des récapitulatifs aux abonnés',
  offerHint:
    'Si vous arrêtez, ceux qui en avaient choisi un en reçoivent un dernier avec ce qui les attend, puis chaque publication.',
  weekday: 'Jour du récapitulatif hebdomadaire',
  weekdayHint: 'Le récapitulatif mensuel part le premier du mois.',
  hour: 'Heure',
  hourHint: 'Dans le fuseau horaire de la newsletter : {{timezone}}.',
  next: { weekly: 'Prochain récapitulatif hebdomadaire', monthly: 'Prochain récapitulatif mensuel' },
  nobody: 'Personne ne l’a encore choisi',
  to_one: '{{n}} abonné',
  to_other: '{{n}} abonnés',
  away: 'dont {{n}} en pause ou sans email',
  awayAll: 'en pause ou sans email',
  waitsForAll_one: 'quelque chose l’attend',
  waitsForAll_other: 'quelque chose les attend tous',
  nothingYet_one: 'rien ne l’attend encore',
  nothingYet_other: 'rien ne les attend encore',
  waits_one: 'quelque chose attend l’un d’entre eux',
  waits_other: 'quelque chose attend {{n}} d’entre eux',
  pace: { every: 'Chaque publication', weekly: 'Une fois par semaine', monthly: 'Une fois par mois' },
  readersPace: { every: 'Chaque lettre', weekly: 'Une fois par semaine', monthly: 'Une fois par mois' },
  chose: {
    weekly: 'A choisi une fois par semaine ; les récapitulatifs sont désactivés.',
    monthly: 'A choisi une fois par mois ; les récapitulatifs sont désactivés.',
  },
  choseBefore: {
    weekly:
      'Dès sa parution. Vous aviez choisi un email par semaine, que cette newsletter ne propose pas en ce moment.',
    monthly: 'Dès sa parution. Vous aviez choisi un email par mois, que cette newsletter ne propose pas en ce moment.',
  },
  hint: {
    every: 'Dès sa parution.',
    weekly: 'Un seul email avec tout ce qui a paru dans la semaine.',
    monthly: 'Un seul email avec tout ce qui a paru dans le mois.',
  },
  choose: 'Choisir',
  chosen: {
    every: 'C’est noté. {{newsletter}} vous arrive à chaque parution, aussitôt.',
    weekly: 'C’est noté. {{newsletter}} vous arrive une fois par semaine, en un seul email.',
    monthly: 'C’est noté. {{newsletter}} vous arrive une fois par mois, en un seul email.',
  },
  column: 'Rythme',
  anyPace: 'Tous rythmes',
  onDigest_one: '{{n}} recevra la publication dans un récapitulatif',
  onDigest_other: '{{n}} recevront la publication dans un récapitulatif',
  wouldGet: 'La recevraient dans un récapitulatif',
  audience: {
    weekly: 'Abonnés au récapitulatif hebdomadaire',
    monthly: 'Abonnés au récapitulatif mensuel',
  },
  mail: {
    weekly: 'Votre semaine avec {{newsletter}}',
    monthly: 'Votre mois avec {{newsletter}}',
    read: 'À lire sur le web',
    more_one: 'Et une autre encore, dans les archives',
    more_other: 'Et {{count}} autres, dans les archives',
  },
} satisfies typeof en
