/** Ce que lisent les annonceurs : la page où ils demandent un jour, celle de leur réservation, et les emails. */
export default {
  closed: {
    title: 'Fermé aux annonceurs',
    text: '{{newsletter}} ne prend pas de demandes d’annonceurs ici en ce moment.',
  },
  page: {
    title: 'Annoncer dans {{newsletter}}',
    lead: 'Choisissez un jour et un emplacement, puis demandez. Chaque annonce est lue d’abord par la newsletter, et signalée comme telle.',
    leadOfNone: 'Chaque annonce est lue d’abord par la newsletter, et signalée comme telle.',
    figures: { subscribers: 'Abonnés confirmés', accepted: 'Exemplaires acceptés', clicks: 'Clics humains' },
    meaning: {
      subscribers_one:
        'Ils ont confirmé et ne sont pas partis ; leurs emails ne sont pas revenus et n’ont pas été signalés comme indésirables.',
      subscribers_other:
        'Ils ont confirmé et ne sont pas partis ; leurs emails ne sont pas revenus et n’ont pas été signalés comme indésirables.',
      accepted_one: 'La dernière publication : les exemplaires acceptés par le relais.',
      accepted_other: 'La médiane des {{count}} dernières publications : les exemplaires acceptés par le relais.',
      clicks_one:
        'Sur tous les liens de la dernière publication. Les clics de robots sont écartés par des règles publiées.',
      clicks_other:
        'Sur tous les liens, médiane des {{count}} dernières publications. Les clics de robots sont écartés par des règles publiées.',
    },
    fewer: 'moins de {{number}}',
    counted:
      'Chiffres comptés par le serveur le {{date}} ; les publications de moins de deux jours, encore en cours de lecture, n’y sont pas, et les grands nombres sont arrondis vers le bas. Personne ne peut saisir ces nombres.',
    placements: 'Ce que vous pouvez réserver',
    elsewhere: 'Dans une autre devise :',
    place: { top: 'En tête.', middle: 'Au milieu.', end: 'À la fin.' },
    words_one: '{{count}} mot et un lien.',
    words_other: 'Jusqu’à {{count}} mots et un lien.',
    image: 'Une image.',
    due_zero: 'Texte à remettre le jour même.',
    due_one: 'Texte à remettre {{count}} jour avant.',
    due_other: 'Texte à remettre {{count}} jours avant.',
    slots: 'Choisissez votre jour',
    held: 'Un jour que vous demandez vous est gardé 48 heures au plus.',
    nothingSold: 'Rien n’est à vendre ici pour le moment.',
    nothingFree: 'Rien n’est libre en ce moment. Revenez dans quelques jours.',
    day: 'Jour',
    taken: 'pris',
    sponsor: 'Nom de l’entreprise ou de la personne, tel que les lecteurs le voient',
    contact: 'Votre nom (facultatif)',
    message: 'Votre message à la newsletter (facultatif)',
    notSent: 'Rien n’est encore parti.',
    ask: 'Demander ce jour',
    after:
      'Nous vous envoyons d’abord un lien : ouvrez-le et appuyez sur le bouton, et la demande part. Vous ne payez rien maintenant.',
    problem: {
      slot: 'Choisissez un jour libre.',
      taken: 'Quelqu’un a été plus rapide : ce jour est pris. Choisissez-en un autre.',
      sponsor: 'Dites en une ligne qui est l’annonceur.',
      long: 'Une ligne de 40 caractères au plus : les lecteurs voient ce nom au-dessus de votre texte.',
      message: 'C’est trop long : mille caractères au plus.',
      noEmail: 'Indiquez une adresse email : la réponse y arrive.',
      limit: 'Trop de demandes sont venues d’où vous êtes. Essayez de nouveau dans dix minutes.',
      proof:
        'Les demandes affluent en ce moment. Votre navigateur fait un petit calcul ; appuyez de nouveau quand il a fini.',
    },
  },
  asked: {
    title: 'Regardez vos emails',
    text: 'Un lien vous arrive. Votre demande part quand vous l’ouvrez et appuyez sur le bouton.',
  },
  confirm: {
    title: 'Envoyer votre demande',
    text: '{{sponsor}} demande l’emplacement « {{placement}} » dans {{newsletter}} pour le {{day}}, à {{sum}}.',
    from: 'De la part de : {{from}}',
    message: 'Votre message :',
    button: 'Envoyer la demande',
    again: 'Voir ce qui est libre',
    not: {
      link: {
        title: 'Ce lien n’ouvre rien',
        text: 'Il a plus d’un jour, ou il est incomplet. Rien n’a été envoyé : demandez encore une fois.',
      },
      taken: {
        title: 'Quelqu’un a été plus rapide',
        text: 'Ce jour a été pris entre-temps. Rien n’a été envoyé et vous ne devez rien.',
      },
      unsold: {
        title: 'Plus en vente',
        text: 'La newsletter ne vend plus cet emplacement ce jour-là. Rien n’a été envoyé et vous ne devez rien.',
      },
      many: {
        title: 'Vos autres demandes d’abord',
        text: 'Plusieurs de vos demandes attendent une réponse. Demandez de nouveau quand elles en auront une.',
      },
    },
    mail: {
      subject: 'Confirmez votre demande à {{newsletter}}',
      preheader: 'Relisez-la, puis envoyez-la.',
      text: 'Voici votre demande à {{newsletter}} : l’emplacement « {{placement}} » du {{day}}. Le bouton ouvre une page où vous la relisez et l’envoyez.',
      action: 'Relire et envoyer',
      after: 'Si ce n’était pas vous, ne faites rien : rien n’est envoyé. Le lien est valable un jour.',
    },
  },
  own: {
    title: '{{sponsor}} dans {{newsletter}}',
    what: '{{placement}}, {{day}}, {{sum}}',
    nothingMore: 'sans supplément',
    way: {
      requested: 'Demandé',
      accepted: 'Accepté',
      paid: 'Payé ou facturé',
      replacement: 'Jour donné',
      creative_in: 'Votre texte',
      approved: 'Validé',
      ran: 'Paru',
    },
    ahead: { accepted: 'Réponse', paid: 'Paiement ou facture', approved: 'Validation', ran: 'Parution' },
    notRun: 'Devait paraître',
    state: {
      requested: 'Votre demande attend une réponse. Le jour vous est gardé.',
      accepted:
        'La newsletter a dit oui. Elle vous envoie une facture, ou vous dit comment payer. Dès que l’un ou l’autre est noté, vous remettez votre texte sur cette page. {{due}}',
      declined: 'La newsletter a dit non. Vous ne devez rien.',
      expired:
        'Le délai est passé, et le jour est libre pour d’autres. Écrivez à la newsletter si vous le voulez encore.',
      invoiced: 'Une facture vous a été envoyée. {{due}}',
      paid: 'C’est payé, merci. {{due}}',
      creative_in: 'Votre texte est arrivé et va être lu. Vous pouvez le changer tant qu’il n’est pas validé.',
      changes_asked: 'La newsletter vous demande de changer votre texte. {{due}}',
      approved: 'Votre texte est validé. Il paraît le jour dit.',
      scheduled: 'Votre texte est validé, et la publication qui le porte est programmée.',
      ran: 'C’est paru. Merci.',
      reported: 'C’est paru, et le bilan est définitif. Merci.',
      cancelled: 'Cette réservation a été annulée. Vous ne devez rien.',
      cancelled_paid: 'Cette réservation a été annulée. Vous avez payé {{sum}} : la newsletter vous rend cette somme.',
      cancelled_part:
        'Cette réservation a été annulée. Vous avez payé {{whole}}, dont une partie vous a été rendue : la newsletter vous rend le reste, {{sum}}.',
      refunded: 'Votre argent vous a été rendu.',
      refunded_unrun: 'Votre argent vous a été rendu. Votre texte ne paraîtra pas le {{day}}.',
      made_good: 'Un autre jour vous a été donné : le {{other}}. Le lien vous a été envoyé par email.',
      made_good_unpaid:
        'Un autre jour vous a été donné : le {{other}}. Le lien vous a été envoyé par email. La facture de {{sold}} reste à régler.',
      other_cancelled: 'Un autre jour vous avait été donné, le {{other}}, et il a été annulé. Vous ne devez rien.',
      other_cancelled_ran:
        'Votre texte est paru le {{day}}. Un autre jour vous avait été donné en plus, le {{other}}, et celui-là a été annulé.',
      other_cancelled_ran_unpaid:
        'Votre texte est paru le {{day}}. Un autre jour vous avait été donné en plus, le {{other}}, et celui-là a été annulé. La facture de {{sold}} reste à régler.',
      other_cancelled_paid:
        'Un autre jour vous avait été donné, le {{other}}, et il a été annulé. Vous avez payé {{sum}} : la newsletter vous rend cette somme.',
      replacement_cancelled:
        'Cette réservation a été annulée. Vous avez payé {{sum}} pour le jour qu’elle remplaçait : la newsletter vous rend cette somme.',
      replacement_cancelled_ran:
        'Cette réservation a été annulée. Votre texte est paru le {{ran}} : son prix ne change pas.',
      replacement_cancelled_ran_unpaid:
        'Cette réservation a été annulée. Votre texte est paru le {{ran}}, et la facture de {{sold}} reste à régler.',
      other_cancelled_ran_before_unpaid:
        'Un autre jour vous avait été donné, le {{other}}, et il a été annulé. Votre texte est paru le {{ran}}, et la facture de {{sold}} reste à régler.',
      other_cancelled_ran_before:
        'Un autre jour vous avait été donné, le {{other}}, et il a été annulé. Votre texte est paru le {{ran}} : son prix ne change pas.',
      replacement: 'Ce jour remplace celui que vous aviez réservé, sans supplément. {{due}}',
      replacement_unpaid:
        'Ce jour remplace celui que vous aviez réservé, sans supplément. La facture de {{sold}} reste à régler. {{due}}',
      accepted_card:
        'La newsletter a dit oui. Le jour est à vous dès que vous payez ci-dessous ; vous remettez ensuite votre texte sur cette page. {{due}}',
      expired_card:
        'Le délai est passé, et le jour est libre pour tous. Il l’est encore : payez ci-dessous, et il est à vous.',
      owed: 'Votre paiement est là, et le jour n’est plus à vous. La newsletter le sait : elle vous rend votre argent, ou vous propose un autre jour.',
      owed_twice:
        'Cette réservation était déjà payée, et un second paiement est arrivé. Rien ne change à votre réservation, et la newsletter vous rend ce second paiement.',
      owed_again:
        'Cette réservation a été annulée, et votre banque n’a pas pris l’argent qui vous était rendu. La newsletter le sait, et vous le rend autrement ou vous propose un autre jour.',
    },
    closed: {
      title: 'Ce lien n’ouvre rien',
      text: 'Il est incomplet, la newsletter en a créé un autre, ou elle a fermé. Ouvrez en entier celui du dernier email que vous avez reçu d’elle ; s’il n’ouvre rien non plus, écrivez-lui.',
    },
    missed: 'Votre annonce n’est pas parue le jour dit. La newsletter vous doit un autre jour, ou votre argent.',
    report: 'Voir ce que cela a donné',
    heldUntil: 'Gardé pour vous jusqu’au',
    textDue: { by: 'pour le {{due}}', now: 'dès que possible' },
    invoiced: 'Facturé le',
    paid: 'Payé le',
    refunded: 'Remboursé le',
    refundedPart: 'Remboursé à ce jour',
    refundedOf: '{{sum}} sur {{whole}}',
    creative: 'Votre texte',
    creativeText: 'Envoyez-le quand il est prêt.',
    keepAddress: 'Gardez l’adresse de cette page : elle est votre clé, il n’y a pas de compte.',
    field: {
      name: 'Votre nom, tel que les lecteurs le voient',
      text: 'Texte',
      label: 'Mots du lien',
      target: 'Où mène le lien',
      image: 'Image',
      alt: 'Ce que montre l’image, pour qui ne la voit pas',
    },
    most: {
      words_one: '{{count}} mot au plus',
      words_other: '{{count}} mots au plus',
      characters_one: '{{count}} caractère au plus',
      characters_other: '{{count}} caractères au plus',
    },
    used: {
      words_one: '{{used}} sur {{count}} mot',
      words_other: '{{used}} sur {{count}} mots',
      characters_one: '{{used}} sur {{count}} caractère',
      characters_other: '{{used}} sur {{count}} caractères',
    },
    over: {
      words_one: '{{over}} mot de trop.',
      words_other: '{{over}} mots de trop.',
      characters_one: '{{over}} caractère de trop.',
      characters_other: '{{over}} caractères de trop.',
    },
    leads: 'Les lecteurs qui suivent le lien arrivent ici. Par exemple : https://exemple.fr.',
    imageHint: 'PNG, JPEG, WebP, GIF ou AVIF qui ne bouge pas, {{megabytes}} Mo au plus.',
    imageHeld: 'Votre image est gardée ici, et part avec votre texte quand vous l’envoyez.',
    otherImage: 'Une autre image',
    leaveOut: 'Sans l’image',
    preview: 'Ce que voient les lecteurs',
    unseen: 'Les lecteurs ne voient pas ce texte',
    previewLive: 'à mesure que vous écrivez',
    previewSent: 'une fois envoyé',
    wrong:
      'Quelque chose ne va pas encore : voyez ce qui est marqué. Votre texte est toujours là, et rien n’est parti.',
    limit: 'Vous avez envoyé votre texte très souvent. Il est toujours là ; attendez dix minutes et renvoyez-le.',
    problem: {
      name: 'Une ligne de 40 caractères au plus.',
      text_one: 'Il faut un texte de {{count}} mot au plus.',
      text_other: 'Il faut un texte de {{count}} mots au plus.',
      label: 'Une ligne de 40 caractères au plus.',
      target: 'Ce n’est pas une adresse complète, comme https://exemple.fr.',
      alt: 'Dites en 120 caractères au plus ce que montre l’image. Qui ne la voit pas l’entend à sa place.',
      missing: 'Ce champ est à remplir.',
      unseen: 'Il contient des caractères que personne ne voit. Tapez-le à nouveau à la main.',
      image: 'Cet emplacement ne prend pas d’image.',
      leads:
        'Les lecteurs ne peuvent pas y aller : cette adresse mène à un réseau privé, ou contient un nom et un mot de passe devant un @.',
      again:
        'L’image n’est plus là : un autre envoi de votre part l’a remplacée au même moment. Choisissez-la encore une fois.',
      no_image:
        'Vous dites ce que montre une image, et aucune n’est arrivée. Choisissez-la, ou videz le champ qui la décrit.',
      image_large: 'Ce fichier dépasse {{megabytes}} Mo. Réduisez l’image et choisissez-la à nouveau.',
      image_type: 'Ce fichier n’est pas une image que l’on sait lire ici : PNG, JPEG, WebP, GIF et AVIF.',
      image_damaged:
        'Cette image est abîmée ou coupée. Enregistrez-la à nouveau en PNG ou JPEG et choisissez-la encore.',
      image_heavy:
        'Cette image est trop lourde à lire : elle peut avoir au plus {{megapixels}} millions de pixels. Réduisez-la et choisissez-la à nouveau.',
      image_moves: 'Cette image bouge. Choisissez-en une qui reste immobile.',
      image_full:
        'La newsletter n’a plus de place pour une image. Envoyez votre texte sans elle, et écrivez à la newsletter.',
      image_busy: 'Une autre image est lue en ce moment. Attendez un peu, et choisissez la vôtre à nouveau.',
      image_limit:
        'Beaucoup d’images ont été envoyées ces derniers temps. Choisissez la vôtre à nouveau dans une heure, ou envoyez votre texte sans elle.',
      image_away: 'L’image n’a pas pu être gardée. Choisissez-la à nouveau dans quelques minutes.',
    },
    send: 'Envoyer pour validation',
    sendAgain: 'Remplacer le texte envoyé',
    pay: {
      title: 'Payer',
      text: 'Par carte, sur la page de Stripe. Vous pouvez y entrer le nom et le numéro de votre entreprise pour la facture.',
      button: 'Payer {{sum}}',
    },
    withdraw: 'Se retirer',
    withdrawText: 'Le jour est alors libre pour d’autres. Vous ne devez rien.',
    notice: {
      sent: 'Votre texte est arrivé. Vous saurez quand il est validé.',
      withdrawn: 'Votre demande est retirée.',
      moved: 'La réservation a avancé entre-temps. Voici où elle en est.',
      paying:
        'Merci. Stripe prévient la newsletter dès que votre paiement est passé, le plus souvent en une minute, et un email vous le dit. Rouvrez cette page pour le voir.',
      paid: 'Merci, c’est payé. Stripe vous envoie la facture par email.',
      owed: 'Merci. Votre paiement est arrivé quand le jour n’était plus à vous.',
      not_paid: 'Rien n’a été débité. Vous pouvez payer ici tant que le jour est libre.',
      invoice: 'La newsletter vous envoie une facture.',
    },
  },
  due: {
    by: 'Votre texte est attendu pour le {{due}}.',
    now: 'Votre texte est attendu dès que possible : la lettre part le {{day}}.',
    over: 'Le jour est passé. Votre page dit où en est la réservation.',
  },
  mail: {
    notRun: 'Votre texte ne paraîtra pas le {{day}}.',
    action: 'Voir votre réservation',
    after: 'Gardez cet email, et ne le transmettez pas : son lien permet d’agir en votre nom.',
    request: {
      subject: '{{newsletter}} a reçu votre demande pour le {{day}}',
      preheader: 'Le jour vous est gardé.',
      text: 'L’emplacement « {{placement}} » du {{day}} vous est gardé jusqu’au {{until}}, pour {{sum}}. Un email vous dira ce que la newsletter répond. Vous ne devez rien pour l’instant, et vous pouvez vous retirer.',
    },
    withdraw: {
      subject: 'Votre demande à {{newsletter}} pour le {{day}} est retirée',
      preheader: 'Vous ne devez rien.',
      text: 'Votre demande pour « {{placement}} » le {{day}} est retirée. Vous ne devez rien, et le jour est libre pour d’autres.',
    },
    accept: {
      subject: '{{newsletter}} accepte votre demande pour le {{day}}',
      preheader: '« {{placement}} » vous est gardé.',
      text: 'L’emplacement « {{placement}} » du {{day}} vous est gardé jusqu’au {{until}}, pour {{sum}}. La newsletter vous dit comment payer.',
    },
    decline: {
      subject: '{{newsletter}} décline votre demande pour le {{day}}',
      preheader: 'Vous ne devez rien.',
      text: 'La newsletter ne peut pas prendre « {{placement}} » le {{day}} pour {{sponsor}}. Vous ne devez rien.',
    },
    expire: {
      subject: 'Votre jour dans {{newsletter}} n’est plus gardé',
      preheader: 'Vous ne devez rien.',
      text: '« {{placement}} » le {{day}} vous était gardé, et le délai est passé. Répondez à cet email si vous le voulez encore : tant qu’il est libre, il peut être à vous.',
    },
    invoice: {
      subject: 'Votre réservation dans {{newsletter}} est ferme',
      preheader: '{{due}}',
      text: '« {{placement}} » le {{day}} est à vous, et la facture de {{sum}} vous arrive. {{due}}',
    },
    accept_card: {
      subject: '{{newsletter}} accepte votre demande pour le {{day}}',
      preheader: 'Payez sur votre page, et le jour est à vous.',
      text: '« {{placement}} » le {{day}} vous est gardé jusqu’au {{until}}. Payez {{sum}} par carte sur votre page, et il est à vous.',
    },
    owed: {
      subject: 'Votre paiement à {{newsletter}} est arrivé trop tard',
      preheader: 'Vous recevez votre argent, ou un autre jour.',
      text: 'Votre paiement de {{sum}} pour « {{placement}} » le {{day}} est arrivé quand le jour n’était plus à vous. La newsletter le sait, et vous rend votre argent ou vous propose un autre jour.',
    },
    owed_twice: {
      subject: 'Vous avez payé {{newsletter}} deux fois',
      preheader: 'Le second paiement vous est rendu.',
      text: '« {{placement}} » le {{day}} était déjà payé quand votre paiement de {{sum}} est arrivé. Rien ne change à votre réservation. La newsletter le sait, et vous rend ce second paiement.',
    },
    owed_again: {
      subject: '{{newsletter}} : votre remboursement n’est pas arrivé',
      preheader: 'La newsletter le sait.',
      text: 'Votre banque n’a pas pris le remboursement de {{sum}} pour « {{placement}} » le {{day}}. La newsletter le sait, et vous rend votre argent autrement ou vous propose un autre jour.',
    },
    pay: {
      subject: '{{newsletter}} a reçu votre paiement',
      preheader: '{{due}}',
      text: 'Merci : {{sum}} pour « {{placement}} » le {{day}}. {{due}}',
    },
    pay_later: {
      subject: '{{newsletter}} a reçu votre paiement',
      preheader: '{{sum}} pour le {{day}}.',
      text: 'Merci : {{sum}} pour « {{placement}} », réservé pour le {{day}}. Votre page dit où en est la réservation.',
    },
    ask_changes: {
      subject: '{{newsletter}} vous demande de changer votre texte',
      preheader: '{{due}}',
      text: 'Avant que votre texte paraisse le {{day}}, la newsletter demande un changement. {{due}}',
    },
    approve: {
      subject: 'Votre texte pour {{newsletter}} est validé',
      preheader: 'Il paraît le {{day}}.',
      text: 'Il ne reste rien à faire : votre texte paraît le {{day}}.',
    },
    run: {
      subject: 'Vous étiez dans {{newsletter}}',
      preheader: '« {{placement}} » est paru.',
      text: 'Votre texte pour « {{placement}} » le {{day}} est paru. Merci.',
    },
    report: {
      subject: 'Votre bilan dans {{newsletter}} est définitif',
      preheader: 'Ce qu’a donné « {{placement}} » le {{day}}.',
      text: 'Sept jours sont passés depuis « {{placement}} » le {{day}}, et ses chiffres ne changent plus :',
      action: 'Lire le bilan',
      after: 'Le lien permet de lire le bilan et d’en télécharger les chiffres, et rien d’autre.',
    },
    cancel: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}. Vous ne devez rien.',
    },
    cancel_given: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}, qui vous avait été donné à la place du {{before}}. Vous ne devez rien.',
    },
    cancel_other: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}, qui vous avait été donné à la place du {{before}}. Votre texte est paru le {{ran}} : son prix ne change pas.',
    },
    cancel_other_unpaid: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}, qui vous avait été donné à la place du {{before}}. Votre texte est paru le {{ran}} : la facture de {{sum}} reste à régler.',
    },
    cancel_paid: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}. Vous avez payé {{sum}} : elle vous rend cette somme.',
    },
    cancel_part: {
      subject: 'Votre réservation dans {{newsletter}} est annulée',
      preheader: '« {{placement}} » le {{day}}.',
      text: 'La newsletter a annulé « {{placement}} » du {{day}}. Vous avez payé {{whole}}, dont une partie vous a déjà été rendue. Elle vous rend le reste : {{sum}}.',
    },
    refund_part: {
      subject: '{{newsletter}} vous a rendu une partie de votre argent',
      preheader: '{{sum}} sur {{whole}}.',
      text: 'Vous recevez un remboursement de {{sum}}, sur un total de {{whole}}, pour « {{placement}} » le {{day}}. Quelques jours peuvent passer avant que vous le voyiez. Rien d’autre ne change.',
    },
    refund_rest: {
      subject: '{{newsletter}} vous a rendu le reste de votre argent',
      preheader: '{{sum}} pour le {{day}}.',
      text: 'Vous recevez un remboursement de {{sum}} pour « {{placement}} » le {{day}}. Avec cela, la somme de {{whole}} que vous avez payée vous est rendue tout entière. Quelques jours peuvent passer avant que vous le voyiez.',
    },
    refund: {
      subject: '{{newsletter}} vous a rendu votre argent',
      preheader: '{{sum}} pour le {{day}}.',
      text: 'Vous recevez un remboursement de {{sum}} pour « {{placement}} » le {{day}}. Quelques jours peuvent passer avant que vous le voyiez.',
    },
    textGoesAlong: 'Votre texte est repris.',
    make_good: {
      subject: '{{newsletter}} vous donne un autre jour',
      preheader: 'Sans supplément.',
      text: 'Vous recevez « {{placement}} » le {{day}} à la place du {{before}}, sans supplément. {{ofText}}',
    },
    make_good_unpaid: {
      subject: '{{newsletter}} vous donne un autre jour',
      preheader: 'Sans supplément.',
      text: 'Vous recevez « {{placement}} » le {{day}} à la place du {{before}}, sans supplément. {{ofText}} La facture de {{sum}} reste à régler.',
    },
  },
  owners: {
    due: {
      by: 'Son texte est attendu pour le {{due}}.',
      now: 'Son texte est attendu dès que possible.',
      over: 'Le jour est passé.',
    },
    request: {
      subject: '{{sponsor}} demande le {{day}}',
      preheader: '« {{placement}} » pour {{sum}}.',
      text: '{{sponsor}} demande « {{placement}} » le {{day}} pour {{sum}}. Répondez avant le {{until}}, sinon le jour redevient libre.',
      action: 'Répondre',
      after: 'Son adresse est confirmée. Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    creative: {
      subject: '{{sponsor}} a remis son texte pour le {{day}}',
      preheader: 'Il attend votre validation.',
      text: 'Le texte pour « {{placement}} » le {{day}} est là. Rien ne paraît avant que vous le validiez.',
      action: 'Le lire',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    withdrawn: {
      subject: '{{sponsor}} renonce au {{day}}',
      preheader: '« {{placement}} » est de nouveau libre.',
      text: '{{sponsor}} retire sa demande. « {{placement}} » le {{day}} est de nouveau libre.',
      action: 'Voir la réservation',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    paid: {
      subject: '{{sponsor}} a payé pour le {{day}}',
      preheader: '{{sum}} par carte.',
      text: '{{sponsor}} a payé {{sum}} par carte pour « {{placement}} » le {{day}}. Le jour lui revient. {{due}}',
      action: 'Voir la réservation',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    owed: {
      subject: '{{sponsor}} a payé, et n’a pas de place le {{day}}',
      preheader: 'Rendez l’argent, ou donnez un autre jour.',
      text: 'Un paiement de {{sum}} est arrivé par carte pour « {{placement}} » le {{day}}, alors que le jour n’était plus réservé. Rien n’est perdu et rien n’est vendu deux fois. Rendez l’argent, ou donnez un autre jour.',
      action: 'Décider',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    owed_twice: {
      subject: '{{sponsor}} a payé deux fois pour le {{day}}',
      preheader: 'Rendez le second paiement.',
      text: 'Un paiement de {{sum}} est arrivé par carte pour « {{placement}} » le {{day}}, qui était déjà payé. La réservation reste comme elle est. Rendez ce paiement.',
      action: 'Voir les deux',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    owed_again: {
      subject: 'Le remboursement pour le {{day}} n’est pas arrivé à {{sponsor}}',
      preheader: 'La banque ne l’a pas pris.',
      text: 'La banque de {{sponsor}} n’a pas pris le remboursement pour « {{placement}} » le {{day}}, et vous avez de nouveau {{sum}}. Rendez cette somme autrement, ou donnez un autre jour.',
      action: 'Décider',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
    disputed: {
      subject: 'Une banque a repris ce que {{sponsor}} avait payé pour le {{day}}',
      preheader: '{{sum}}, et vous pouvez répondre chez Stripe.',
      text: 'La banque de {{sponsor}} a repris le paiement pour « {{placement}} » le {{day}}. Vous pouvez répondre chez Stripe. La réservation garde sa place tant que vous ne l’annulez pas.',
      action: 'Voir la réservation',
      after: 'Vous recevez cet email comme propriétaire de {{newsletter}}.',
    },
  },
}
