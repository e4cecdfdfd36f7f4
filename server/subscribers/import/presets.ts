import type { presets, Sheet, Target } from './contract.ts'

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

/** What columns of other files are usually called, in English, French and German, and in the APIs of Kit and Buttondown. */
const usual: [Target, string[]][] = [
  [
    simple('email'),
    [
      'email',
      'e-mail',
      'email address',
      'email_address',
      'e-mail address',
      'mail',
      'adresse email',
      'adresse e-mail',
      'adresse électronique',
      'courriel',
      'emailadresse',
      'e-mail-adresse',
    ],
  ],
  [simple('first_name'), ['first name', 'first_name', 'firstname', 'given name', 'prénom', 'prenom', 'vorname']],
  [simple('last_name'), ['last name', 'last_name', 'lastname', 'surname', 'family name', 'nom de famille', 'nachname']],
  [
    simple('name'),
    [
      'name',
      'full name',
      'full_name',
      'nom',
      'nom complet',
      'prénom nom',
      'prénom et nom',
      'nom prénom',
      'nom et prénom',
    ],
  ],
  [simple('language'), ['language', 'lang', 'langue', 'locale']],
  [simple('tags'), ['tags', 'labels', 'étiquettes', 'tag']],
  [simple('status'), ['status', 'state', 'statut', 'subscriber_type', 'type']],
  [
    simple('joined'),
    [
      'created_at',
      'created at',
      'creation_date',
      'confirmed_at',
      'subscribed_at',
      'subscribed at',
      'subscription date',
      'joined',
      'date d’inscription',
      'inscrit le',
    ],
  ],
  [simple('left'), ['unsubscribed_at', 'unsubscription_date', 'unsub_time', 'left_at', 'désinscrit le']],
]
const usualTarget = new Map(usual.flatMap(([target, names]) => names.map((name) => [name, target] as const)))

/** docs/export.md: a column for each custom field. */
const OUR_FIELD = /^field\./

const known = (name: string) => name.trim().toLowerCase()

/**
 * The tool that a file comes from by its header, and what each column becomes. No two columns become the same thing, except
 * tags and custom fields.
 *
 * @param fields the newsletter's custom fields, found by their key or label
 */
export function recognise(
  header: string[],
  fields: { key: string; label: string }[],
): { preset: Sheet['preset']; targets: Target[] } {
  const names = header.map(known)
  const found = recognitions.find(({ has }) => has.every((name) => names.includes(name)))
  const taken = new Set<string>()
  const hasFirstName = names.some((name) => usualTarget.get(name)?.to === 'first_name')
  const usualOf = (name: string) => {
    const target = usualTarget.get(name)
    // Beside a first name, a name is the last one: *Prénom* and *Nom*, *Vorname* and *Name*.
    return hasFirstName && target?.to === 'name' ? simple('last_name') : target
  }
  const targets = names.map((name): Target => {
    const called = name.replace(OUR_FIELD, '')
    const own = fields.find(({ key, label }) => key === called || known(label) === called)
    const ours = found?.preset === 'tirage' && OUR_FIELD.test(name) ? text(called) : undefined
    const target = found?.becomes[name] ?? (own ? { to: 'field' as const, field: own.key } : (ours ?? usualOf(name)))
    if (!target || (!hasName(target) && taken.has(target.to))) return simple('skip')
    taken.add(target.to)
    return target
  })
  return { preset: found?.preset ?? null, targets }
}

/** Whether several columns can become one, each with a name of its own. */
const hasName = ({ to }: Target): boolean => to === 'tag' || to === 'field' || to === 'new_field'
