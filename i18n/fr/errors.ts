import type en from '../en/errors.ts'

export default {
  bad_request: 'Cette demande n’a pas pu être lue. Rien n’a changé.',
  invalid: 'Quelques points sont à revoir. Rien n’est encore enregistré.',
  unauthenticated: 'Connectez-vous d’abord.',
  forbidden: 'Votre rôle dans cette newsletter ne le permet pas. Un propriétaire peut le changer.',
  cross_site: 'Cette demande venait d’un autre site et a été refusée. Rien n’a changé.',
  not_found: 'Il n’y a rien à cette adresse.',
  method_not_allowed: 'Cette adresse existe, mais ne répond pas à cette méthode.',
  request_timeout: 'La demande n’est pas arrivée à temps. Rien n’a changé.',
  headers_too_large: 'Les en-têtes de cette demande sont trop longs. Effacer les cookies de ce site suffit souvent.',
  newsletter_not_found: 'Cette newsletter n’existe pas ici, ou vous n’en êtes pas membre.',
  publication_not_found: 'Cette publication n’existe pas dans cette newsletter.',
  subscriber_not_found: 'Cet abonné n’existe pas dans cette newsletter.',
  link_not_found: 'Ce lien court n’existe pas.',
  tag_not_found: 'Cette étiquette n’existe pas dans cette newsletter.',
  field_not_found: 'Ce champ n’existe pas sous cette forme dans cette newsletter.',
  segment_not_found: 'Ce segment a été supprimé. Choisissez-en un autre.',
  import_not_found: 'Cet import n’existe pas dans cette newsletter.',
  plan_not_found: 'Cette formule n’existe pas dans cette newsletter.',
  plan_closed: 'Cette formule n’accepte plus de nouveaux abonnés.',
  plan_full: 'Les {{maximum}} places de cette formule sont prises.',
  free_has_no_price: 'La formule gratuite n’a pas de prix. Créez une formule payante pour cela.',
  coupon_not_found: 'Ce code de réduction n’existe pas, ou n’est plus valable.',
  import_moved_on: 'Cet import a avancé entre-temps. Regardez où il en est.',
  encoding_does_not_fit: 'Lu avec cet encodage, le fichier n’a pas de lignes. Choisissez-en un autre.',
  link_used: 'Ce lien a déjà servi, ou il est trop ancien. Demandez-en un nouveau.',
  media_not_found: 'Cette image n’existe pas dans cette newsletter.',
  invitation_not_found: 'Cette invitation a déjà servi, a été retirée ou a expiré. Demandez-en une nouvelle.',
  mail_not_found: 'Ce message n’est plus conservé. Les 1 000 plus récents le sont.',
  too_large: 'C’est trop volumineux. Rien n’a été enregistré.',
  unsupported_media_type: 'Ce type de fichier n’est pas accepté. Les images PNG, JPEG, WebP, GIF et AVIF le sont.',
  too_many_requests: 'C’était un peu rapide. Réessayez dans {{wait}}.',
  handle_taken: 'Une autre newsletter utilise déjà cet identifiant. Choisissez-en un autre.',
  slug_reserved: 'Cette adresse ressemble à une page du serveur, comme celle de connexion. Choisissez-en une autre.',
  slug_taken: 'Cette adresse est déjà prise. Choisissez-en une autre.',
  name_taken: 'Ce nom est déjà pris ici. Choisissez-en un autre.',
  is_welcome:
    'Cette publication est un mot de bienvenue. Choisissez-en d’abord une autre, ou mettez fin à la bienvenue.',
  welcome_not_found: 'Cette bienvenue n’existe pas.',
  behaviour_not_kept:
    'Cette lettre ne garde pas qui ouvre ni qui clique : impossible de filtrer là-dessus. Cela se choisit sous Abonnement.',
  in_use: 'Quelque chose repose là-dessus. Le supprimer le change aussi ; il faut le demander avec evenIfUsed=true.',
  already_member: 'Cette personne est déjà membre.',
  already_subscribed: 'Cette adresse est déjà abonnée.',
  subscriber_complained:
    'Cette personne a signalé votre courrier comme indésirable, et elle seule peut revenir : il suffit qu’elle s’abonne à nouveau sur votre page et confirme.',
  last_owner:
    'Une newsletter a besoin d’un propriétaire. Nommez d’abord quelqu’un d’autre, ou supprimez la newsletter.',
  dkim_key_not_found: 'Cette newsletter n’a pas de telle clé.',
  too_many_dkim_keys: 'Cette newsletter a déjà {{count}} clés. Retirez-en qui ne signent plus.',
  no_own_domain:
    'Les clés demandent un domaine à vous : choisissez d’abord une adresse d’expéditeur qui en fait partie.',
  invitation_for_another: 'Cette invitation a été envoyée à {{email}}. Connectez-vous avec cette adresse.',
  sender_unproven:
    'L’adresse d’expédition ou de réponse n’est pas encore prouvée. Un propriétaire la prouve dans les réglages, sous Expéditeur.',
  sender_reserved:
    'Cette adresse est celle du serveur. Laissez le champ vide, et le courrier en partira au nom de votre newsletter.',
  sender_taken: 'Une autre newsletter de ce serveur écrit depuis cette adresse.',
  code_wrong: 'Ce n’est pas le code de notre dernier message, ou il date de plus d’un jour. Demandez-en un nouveau.',
  address_unproven:
    'Confirmez d’abord votre adresse : ouvrez le lien du message que nous vous avons envoyé, puis revenez à cette page.',
  anonymous_cannot: 'Donnez d’abord une adresse email à ce compte ; tout ce que vous avez fait est gardé.',
  owner_unconfirmed:
    'Avant tout envoi, un propriétaire de cette newsletter doit confirmer sa propre adresse email. En attendant, elle peut paraître sur le web.',
  key_cannot: 'Une clé d’API ne peut pas faire cela. Connectez-vous et faites-le vous-même.',
  edited_meanwhile:
    'Quelqu’un d’autre a enregistré cette publication entre-temps. Vos mots sont gardés ici : choisissez la version qui reste.',
  note_not_found: 'Cette note n’existe plus.',
  too_many_notes: 'Il y a déjà {{maximum}} notes sur cette personne. Supprimez-en une d’abord.',
  bulk_change_not_found: 'Cette action sur plusieurs abonnés n’existe pas, ou date de plus de sept jours.',
  bulk_change_under_way: 'Une autre action sur plusieurs abonnés est en cours. Attendez sa fin, ou arrêtez-la.',
  bulk_change_over: 'Cette action est terminée : elle ne peut plus être arrêtée ni annulée.',
  choice_changed: 'Le choix a changé : il compte maintenant {{total}} abonnés. Rien n’a été modifié.',
  nobody_chosen: 'Personne n’est choisi : plus aucun abonné ne correspond.',
  wrong_status: 'Cette publication est maintenant « {{status}} » : ce n’est plus possible.',
  empty_publication: 'Cette publication n’a pas encore de texte.',
  no_title: 'Donnez d’abord un titre à cette publication.',
  no_subscribers: 'Personne ne la recevrait : il n’y a pas encore d’abonné actif. Vous pouvez la publier sur le web.',
  no_sender: 'Indiquez d’abord l’adresse d’envoi de cette newsletter.',
  no_postal_address:
    'Ajoutez d’abord une adresse postale dans les réglages : la loi la demande au pied de chaque message.',
  scheduled_in_past: 'Ce moment est passé. Choisissez-en un plus tardif, ou envoyez maintenant.',
  document_invalid:
    'Une partie de ce texte dépasse ce qu’une publication peut contenir : {{place}}. Rien n’a été enregistré ; vos mots sont toujours dans l’éditeur.',
  image_too_heavy:
    'Cette image est trop grande pour être gardée. Elle peut avoir {{megapixels}} millions de pixels en tout, {{frames}} images si elle est animée, et {{megabytes}} Mo une fois gardée. Rien n’a été enregistré.',
  file_too_large: 'Ce fichier dépasse {{megabytes}} Mo, le maximum accepté. Rien n’a été enregistré.',
  media_full:
    'Les images de cette newsletter occupent toute la place prévue : {{megabytes, number}} Mo, ou {{files, number}} images. Supprimez‑en à la page Images des réglages. Rien n’a été enregistré.',
  media_full_person:
    'Vos images, toutes newsletters confondues, occupent toute la place prévue pour vous : {{megabytes, number}} Mo, ou {{files, number}} images. Supprimez‑en à la page Images des réglages. Rien n’a été enregistré.',
  media_in_use:
    'Cette image est utilisée. La supprimer l’enlève aussi de là où elle est ; il faut le demander avec evenIfUsed=true.',
  image_invalid: 'Ce fichier n’a pas pu être lu comme une image. Essayez de l’exporter à nouveau en PNG ou JPEG.',
  relay_not_found: 'Ce relais n’existe pas dans cette newsletter.',
  too_many_relays: 'Une newsletter peut avoir {{maximum}} relais. Retirez-en un d’abord.',
  too_many_newsletters:
    'Vous pouvez avoir ici {{maximum}} newsletters, y compris celles supprimées depuis moins de 30 jours.',
  too_many_publications:
    'Une newsletter peut contenir ici {{maximum}} publications. Supprimez les brouillons devenus inutiles.',
  too_many_links: 'Une newsletter peut avoir ici {{maximum}} liens courts à elle.',
  too_many_tags: 'Il y a place ici pour {{maximum}} étiquettes. Supprimez celles qui ne servent plus.',
  too_many_fields: 'Une newsletter peut avoir ici {{maximum}} champs personnalisés.',
  too_many_plans: 'Il y a déjà {{maximum}} formules. Une formule fermée compte aussi.',
  too_many_coupons: 'Il y a déjà {{maximum}} codes de réduction.',
  too_many_imports: '{{maximum}} imports attendent déjà ici. Terminez-en ou annulez-en un d’abord.',
  too_many_segments: 'Une newsletter peut avoir ici {{maximum}} segments. Supprimez ceux qui ne servent plus.',
  too_many_api_keys: 'Une newsletter peut avoir ici {{maximum}} clés d’API. Révoquez celles dont rien ne se sert.',
  too_many_invitations: 'Une newsletter peut avoir ici {{maximum}} invitations en cours. Retirez-en une d’abord.',
  too_many_from_network:
    'Depuis votre réseau, des personnes sans adresse confirmée ont beaucoup créé en une heure. Réessayez dans {{wait}}.',
  too_many_guests:
    'Autant de personnes que ce serveur l’admet l’essaient déjà sans compte. Inscrivez‑vous avec votre adresse email.',
  relay_refused: 'Le relais d’envoi a refusé : {{answer}}',
  relay_unreachable: 'Le relais d’envoi est injoignable : {{answer}}',
  stripe_not_connected: 'Stripe n’est pas relié à cette newsletter : aucune carte ne peut être débitée.',
  stripe_key_refused:
    'Stripe ne connaît pas cette clé. Elle a peut‑être été renouvelée ou supprimée ; créez‑en une autre chez Stripe.',
  stripe_right_missing: 'Il manque un droit à la clé de Stripe pour cela. Vérifiez‑la à nouveau dans Encaisser.',
  stripe_refused: 'Stripe a refusé : {{reason}}',
  stripe_away: 'Stripe ne répond pas en ce moment. Rien n’a été débité et rien n’a changé ; réessayez dans une minute.',
  rendering_failed:
    'Mettre ce texte en page a demandé trop de temps ou de mémoire. Raccourcissez‑le, ou répartissez‑le sur plusieurs publications.',
  busy: 'Ce serveur est très sollicité en ce moment. Rien n’est perdu ; réessayez dans une demi‑minute.',
  database_away: 'La base de données ne répond pas. Rien n’est perdu ; réessayez dans un instant.',
  storage_full:
    'Le disque de ce serveur est plein. Rien n’a été enregistré ; la personne qui l’administre doit faire de la place.',
  read_only:
    'Ce serveur ne peut que lire pour l’instant, et rien n’a été enregistré. La personne qui l’administre peut trouver pourquoi.',
  storage_refuses:
    'Le stockage des images refuse ce que ce serveur demande. Rien n’a été enregistré ; prévenez la personne qui administre le serveur, dont le journal dit pourquoi.',
  storage_away: 'Le stockage des images ne répond pas. Rien n’a été enregistré ; réessayez dans un instant.',
  internal:
    'Quelque chose s’est cassé de notre côté. Rien de ce que vous avez écrit n’est perdu ; réessayez dans un instant.',
  raise: {
    guest:
      'Donnez une adresse email à ce compte et confirmez‑la : vous aurez plus de place, et tout ce que vous avez fait est gardé.',
    unproven: 'Confirmez votre adresse email : vous aurez plus de place.',
  },
  too_many_guesses:
    'Trop de mots de passe erronés ont été essayés pour ce compte. Demandez plutôt un lien par courriel : il fonctionne toujours.',
  proof_needed: 'Montrez d’abord que c’est bien vous.',
  wrong_proof: 'Cela ne correspond pas.',
  other_proof: 'Montrez-le autrement : ce moyen n’est pas en place, ou ne suffit pas pour votre compte.',
  wrong_code: 'Ce code n’est pas le bon, ou il a déjà servi.',
  not_the_opener: 'Personne n’est connecté ici au compte que ce courriel confirme.',
  two_factor_on: 'La double authentification est déjà active.',
  two_factor_off: 'La double authentification n’est pas active.',
  too_many_passkeys: 'Un compte peut avoir 20 clés d’accès. Supprimez-en une d’abord.',
  fields: {
    stripe_secret_key:
      'C’est une clé secrète complète, qui peut tout faire avec votre compte. Créez une clé restreinte : elle commence par rk_.',
    stripe_public_key: 'C’est la clé publiable. Il faut une clé restreinte : elle commence par rk_.',
    stripe_no_key: 'Ce n’est pas une clé de Stripe. Une clé restreinte commence par rk_test_ ou rk_live_.',
    password_common:
      'Ce mot de passe est de ceux que l’on essaie en premier. Quatre mots sans rapport entre eux tiennent mieux.',
    password_personal:
      'Ce mot de passe est fait de votre adresse ou de noms que tout le monde peut connaître. Choisissez-en un sans rapport avec vous.',
    role_address: 'Cette newsletter n’accepte pas les adresses lues à plusieurs.',
    disposable_address: 'Cette newsletter n’accepte pas les adresses jetables.',
    required: 'Il manque quelque chose ici.',
    too_long: 'C’est trop long.',
    too_short: 'C’est trop court.',
    too_small: 'Ce nombre est trop petit.',
    too_large: 'Ce nombre est trop grand.',
    not_an_email: 'Ce n’est pas une adresse email complète, comme nom@exemple.fr.',
    not_a_url: 'Ce n’est pas une adresse web complète, comme https://exemple.fr.',
    not_a_timezone: 'Ce n’est pas un fuseau horaire connu, comme Europe/Paris.',
    not_a_member: 'Un essai ne part qu’aux membres de cette newsletter.',
    not_a_handle: 'Des minuscules, des chiffres et des tirets simples, au moins deux caractères.',
    unseen_characters: 'Il contient des caractères que personne ne peut voir. Saisissez-le de nouveau à la main.',
    not_a_colour: 'Une couleur s’écrit comme #0C5C5A.',
    relay_private: 'Cela mène à un réseau privé. Ce serveur n’emploie que des relais de l’internet public.',
    relay_unknown_host: 'Personne ne connaît de serveur de ce nom. Vérifiez comment il est écrit.',
    relay_port: 'Le courrier se remet sur les ports 25, 465 et 587, et sur ceux à partir de 1024.',
    secret_again: 'Les courriels iront désormais ailleurs : saisissez de nouveau le mot de passe ou la clé.',
    password_in_clear: 'Un mot de passe ne part pas sans chiffrement. Choisissez TLS ou STARTTLS.',
    unknown_field: 'Aucun champ ne porte cette clé.',
    not_a_choice: 'Ce n’est aucun des choix.',
    not_a_number: 'Ce n’est pas un nombre.',
    not_a_date: 'Un jour s’écrit comme 2026-11-28.',
    not_a_yes_no: 'C’est oui ou non.',
    not_a_text: 'C’est une ligne de 500 caractères au plus.',
    too_nested: 'Il y a trop de conditions, ou trop de groupes dans des groupes.',
    twice: 'Ceci figure déjà ici.',
    part_length:
      'Chaque partie a 4 000 000 octets et la dernière le reste : ensemble, autant d’octets que vous en avez annoncé.',
    erased:
      'Cette adresse a été effacée ici, ou son propriétaire en a choisi une autre. Il peut revenir en s’inscrivant sur votre page.',
    suppressed: 'Les envois à cette adresse ont été arrêtés, par un retour ou une plainte, et le restent.',
    address_in_name: 'Un nom qui contient une adresse ressemble à un autre expéditeur. Retirez l’adresse.',
    reserved: 'Cela ressemble à une page du serveur. Choisissez autre chose.',
    taken: 'Déjà pris.',
    wrong: 'Ce n’est pas la forme attendue.',
  },
} satisfies typeof en
