import type en from '../en/imports.ts'

export default {
  reason: {
    no_address: 'Il n’y a pas d’adresse sur cette ligne.',
    not_an_address: 'Ce n’est pas une adresse email complète.',
    space_in_address: 'Il y a une espace dans l’adresse.',
    formula: 'C’est une formule de tableur, pas une adresse.',
    mistyped_domain: 'Le domaine semble mal écrit : il est à une lettre d’un domaine bien connu.',
    role_address: 'Une adresse que plusieurs personnes lisent. Vos réglages ne la prennent pas sans confirmation.',
    disposable_address: 'Une adresse jetable. Vos réglages ne la prennent pas sans confirmation.',
    unreadable: 'Il y a des caractères que l’encodage du fichier n’a pas.',
    broken_quotes: 'Les guillemets de cette ligne ne vont pas ensemble.',
    line_too_long: 'Cette ligne dépasse 64 000 caractères.',
    too_many_cells: 'Cette ligne a plus de cellules que le fichier n’a de colonnes.',
    unknown_status: 'L’état de cet abonné n’est pas un mot que nous connaissons.',
    left_before: 'A déjà quitté cette newsletter. Cette personne seule peut revenir.',
    bounced_before: 'A déjà renvoyé vos mails, et reste dehors.',
    complained_before: 'A déjà signalé vos mails comme spam, et reste dehors.',
    erased_before: 'Les données de cette personne ont été effacées ici. Elle peut revenir en s’inscrivant.',
    suppressed: 'L’envoi à cette adresse est arrêté ici.',
    not_a_time: 'Importé sans une date illisible. Écrivez-la ainsi : 2026-11-28.',
    not_a_date: 'Importé sans un jour illisible. Écrivez-le ainsi : 2026-11-28.',
    not_a_number: 'Importé sans une valeur qui n’est pas un nombre.',
    not_a_yes_no: 'Importé sans une valeur qui n’est ni oui ni non.',
    not_a_choice: 'Importé sans une valeur qui n’est pas parmi les choix du champ.',
    not_a_text: 'Importé sans une valeur où il n’y a aucune lettre.',
    other_language:
      'Importé dans la langue de la newsletter : le fichier en nomme une dans laquelle elle ne paraît pas.',
    too_many_tags: 'Importé avec ses 100 premières étiquettes.',
  },
} satisfies typeof en
