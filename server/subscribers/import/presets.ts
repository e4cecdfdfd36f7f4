import type { presets, Sheet, Target } from './contract.ts'
import { plain } from './read-row.ts'

type Preset = (typeof presets)[number]

interface Recognition {
  preset: Preset
  /** A file with all of these columns is that tool's. */
  has: string[]
  becomes: Record<string, Target>
}

const simple = (to: Exclude<Target['to'], 'tag' | 'field' | 'new_field'>): Target => ({ to })
const tag = (name: string): Target => ({ to: 'tag', tag: name })
const text = (label: string): Target => ({ to: 'new_field', label, kind: 'text' })

/** In the order in which they are tried. Where each header was seen is in docs/import.md. */
const recognitions: Recognition[] = [
  {
    preset: 'tirage',
    has: ['email', 'status', 'source', 'created_at', 'confirmed_at', 'left_at'],
    becomes: {
      email: simple('email'),
      name: simple('name'),
      language: simple('language'),
      status: simple('status'),
      source: simple('source'),
      created_at: simple('created'),
      confirmed_at: simple('joined'),
      left_at: simple('left'),
      left_reason: simple('left_reason'),
      paused_until: simple('paused_until'),
      pace: simple('pace'),
      tags: simple('tags'),
    },
  },
  {
    preset: 'substack',
    has: ['email', 'active_subscription', 'expiry', 'email_disabled', 'created_at'],
    becomes: {
      email: simple('email'),
      active_subscription: tag('paid-on-substack'),
      plan: text('Substack plan'),
      email_disabled: simple('has_left'),
      created_at: simple('joined'),
    },
  },
  {
    // The longer list that Substack offers too.
    preset: 'substack',
    has: ['email', 'subscription type', 'subscription date', 'activity'],
    becomes: {
      email: simple('email'),
      name: simple('name'),
      'subscription type': text('Substack plan'),
      'subscription date': simple('joined'),
    },
  },
  {
    preset: 'ghost',
    has: ['email', 'note', 'subscribed_to_emails', 'complimentary_plan', 'created_at', 'labels'],
    becomes: {
      email: simple('email'),
      name: simple('name'),
      note: text('Note'),
      subscribed_to_emails: simple('is_subscribed'),
      created_at: simple('joined'),
      deleted_at: simple('left'),
      labels: simple('tags'),
      tiers: text('Ghost tiers'),
    },
  },
  {
    // The names of its first columns are in the language of the account.
    preset: 'mailchimp',
    has: ['member_rating', 'optin_time', 'confirm_time', 'leid', 'euid'],
    becomes: {
      'email address': simple('email'),
      'first name': simple('first_name'),
      'last name': simple('last_name'),
      confirm_time: simple('joined'),
      unsub_time: simple('left'),
      tags: simple('tags'),
    },
  },
  {
    preset: 'beehiiv',
    has: ['email', 'status', 'tier', 'created_at', 'stripe_customer_id'],
    becomes: {
      email: simple('email'),
      'first name': simple('first_name'),
      'last name': simple('last_name'),
      status: simple('status'),
      tier: text('beehiiv tier'),
      created_at: simple('joined'),
      unsubscribed_at: simple('left'),
    },
  },
  {
    preset: 'listmonk',
    has: ['uuid', 'email', 'name', 'attributes', 'status', 'created_at', 'updated_at'],
    becomes: {
      email: simple('email'),
      name: simple('name'),
      status: simple('status'),
      created_at: simple('joined'),
    },
  },
]

/** What columns of other files are usually called, in English, French and German, and in the APIs of Kit and Buttondown: in plain letters. */
const usual: [Parameters<typeof simple>[0], string][] = [
  [
    'email',
    'email, e mail, email address, e mail address, mail, adresse email, adresse e mail, adresse mail, adresse electronique, courriel, emailadresse, e mail adresse',
  ],
  ['first_name', 'first name, firstname, given name, prenom, vorname'],
  ['last_name', 'last name, lastname, surname, family name, nom de famille, nachname'],
  ['name', 'name, full name, nom, nom complet, prenom nom, prenom et nom, nom prenom, nom et prenom'],
  ['language', 'language, lang, langue, locale'],
  ['tags', 'tags, labels, tag, etiquettes, etiquette'],
  ['status', 'status, state, statut, etat, subscriber type, type'],
  ['created', 'asked on, asked at, requested at, date de la demande, date de demande, demande le'],
  [
    'joined',
    `created at, created on, creation date, date de creation, confirmed at, confirmed on, confirmation date, date de confirmation,
    date de la confirmation, confirme le, confirmation le, subscribed at, subscribed on, subscribed since, subscription date, joined, joined at, joined on,
    join date, date joined, sign up date, signup date, signed up, signed up at, signed up on, date added, added on, member since, opt in date, opt in time,
    date d'inscription, date inscription, inscrit le, inscrite le, inscription le, date d'abonnement, date abonnement, abonne le, abonnee le,
    abonne depuis, date d'ajout, ajoute le, membre depuis`,
  ],
  [
    'left',
    `left at, left on, unsubscribed at, unsubscribed on, unsubscription date, unsubscribe date, unsub time, opt out date, date de desinscription,
    desinscrit le, desinscrite le, date de desabonnement, desabonne le, desabonnee le, date de depart, date du depart, parti le, partie le`,
  ],
]
/** Columns of yes and no, where nothing else is in them (`sheet.ts`). */
const usualAnswers: typeof usual = [
  [
    'has_left',
    `unsubscribed, has unsubscribed, is unsubscribed, unsubscribe, opted out, opt out, optout, has left, email disabled, desabonne, desabonnee, desabonnement,
    desinscrit, desinscrite, desinscription, parti, partie, abgemeldet`,
  ],
  [
    'is_subscribed',
    'subscribed, is subscribed, subscribed to emails, opted in, opt in, optin, abonne, abonnee, inscrit, inscrite, angemeldet',
  ],
]
const plans = new Set(
  "plan, plan name, tier, membership, subscription plan, subscription type, formule, offre, abonnement, type d'abonnement".split(
    ', ',
  ),
)
const usualTarget = new Map(
  [...usual, ...usualAnswers].flatMap(([to, names]) => names.split(/,\s+/).map((name) => [name, simple(to)] as const)),
)

/** docs/export.md: a column for each custom field. */
const OUR_FIELD = /^field\./

const known = (name: string) => name.trim().toLowerCase()

/**
 * The tool that a file comes from by its header, and what each column becomes. No two columns become the same thing, except
 * tags and custom fields.
 *
 * @param fields the newsletter's custom fields, found by their label or key
 */
export function recognise(
  header: string[],
  fields: { key: string; label: string }[],
): { preset: Sheet['preset']; targets: Target[] } {
  const names = header.map(known)
  const found = recognitions.find(({ has }) => has.every((name) => names.includes(name)))
  const taken = new Set<string>()
  const hasFirstName = names.some((name) => usualTarget.get(plain(name))?.to === 'first_name')
  const usualOf = (name: string) => {
    if (plans.has(plain(name))) return text(name.slice(0, 1).toUpperCase() + name.slice(1))
    const target = usualTarget.get(plain(name))
    // Beside a first name, a name is the last one: *Prénom* and *Nom*, *Vorname* and *Name*.
    return hasFirstName && target?.to === 'name' ? simple('last_name') : target
  }
  /** An owner gives a field its label. A key is short, and may be what such columns are usually called: it comes after that. */
  const ownOf = (name: string): Target | undefined => {
    const called = name.replace(OUR_FIELD, '')
    const usual = usualOf(name)
    const own =
      fields.find(({ label }) => known(label) === called) ??
      (!usual || hasName(usual) ? fields.find(({ key }) => key === called) : undefined)
    if (own) return { to: 'field', field: own.key }
    return found?.preset === 'tirage' && OUR_FIELD.test(name) ? text(called) : undefined
  }
  const targets = names.map((name): Target => {
    const isAddress = usualOf(name)?.to === 'email' && !taken.has('email')
    const target = found?.becomes[name] ?? (isAddress ? simple('email') : (ownOf(name) ?? usualOf(name)))
    if (!target || (!hasName(target) && taken.has(target.to))) return simple('skip')
    taken.add(target.to)
    return target
  })
  return { preset: found?.preset ?? null, targets }
}

/** Whether several columns can become one, each with a name of its own. */
const hasName = ({ to }: Target): boolean => to === 'tag' || to === 'field' || to === 'new_field'
