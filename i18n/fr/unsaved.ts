export default {
  title: 'Vos modifications ne sont pas enregistrées',
  text: 'Si vous quittez la page maintenant, ce que vous y avez changé sera perdu.',
  stay: 'Continuer à modifier',
  leave: 'Quitter sans enregistrer',
}
