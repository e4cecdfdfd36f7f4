import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { noUtm, withUtm } from '../links/utm.ts'
import { DAY } from './subscribers.ts'
import { insertVisits, type Visited, type Visitors } from './visitors.ts'

interface SampleLink extends Pick<Visited, 'by' | 'people' | 'programs'> {
  id: string
  name: string
  /** A page of this server, or a whole address. */
  target: string
  utm?: Partial<typeof noUtm>
  /** In days from now: since when it is there, and when it ended or was disabled. */
  from: number
  ended?: number
  disabled?: number
  fallback?: string
}

const links = (newsletterId: string): SampleLink[] => [
  {
    ...{ id: 'mastodon', name: 'In our profile on Mastodon', from: -140, by: 'social', people: 262, programs: 174 },
    target: `/subscribe/${newsletterId}`,
    utm: { source: 'mastodon', medium: 'social', campaign: 'profile' },
  },
  {
    ...{ id: 'radio', name: 'Said on the radio', from: -41, by: 'web', people: 118, programs: 9 },
    target: `/subscribe/${newsletterId}`,
    utm: { source: 'radio', medium: 'spoken', campaign: 'harbour-hour' },
  },
  {
    ...{ id: 'carte', name: 'Carte postale, librairies', from: -96, by: 'paper', people: 87, programs: 3 },
    target: `/subscribe/${newsletterId}?lang=fr`,
    utm: { source: 'librairies', medium: 'papier', campaign: 'carte-postale', content: 'phare' },
  },
  {
    ...{ id: 'foire-audierne', name: 'Foire du livre d’Audierne', from: -64, ended: -52, by: 'paper' },
    ...{ people: 49, programs: 2, target: 'https://lowwater.example/foire', fallback: `/n/${newsletterId}` },
    utm: { source: 'foire', medium: 'papier', campaign: 'foire-du-livre' },
  },
  {
    ...{ id: 'press', name: 'Press room, with the old logo', from: -150, disabled: -20, by: 'web' },
    ...{ people: 31, programs: 66, target: 'https://lowwater.example/press' },
  },
]

const templates = [
  { name: 'Mastodon, our profile', source: 'mastodon', medium: 'social', campaign: 'profile' },
  { name: 'A sponsor’s own letter', source: 'partner', medium: 'email', campaign: 'swap' },
  { name: 'Carte en librairie', source: 'librairies', medium: 'papier', campaign: 'carte-postale' },
]

/** Short links that the owner made, one that ended and one that is disabled among them, and UTM values that are kept under a name. */
export async function insertLinks(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { newsletterId, visitors, now }: { newsletterId: string; visitors: Visitors; now: number },
): Promise<void> {
  const at = (days: number) => new Date(now + days * DAY)
  const whole = (address: string) => (address.startsWith('/') ? publicUrl + address : address)
  for (const { id, name, target, utm, from, ended, disabled, fallback, ...visits } of links(newsletterId)) {
    await db
      .insertInto('short_link')
      .values({
        ...{ newsletter_id: newsletterId, id, name, created_at: at(from) },
        target: utm ? withUtm(whole(target), { ...noUtm, ...utm }) : whole(target),
        expires_at: ended === undefined ? null : at(ended),
        disabled_at: disabled === undefined ? null : at(disabled),
        fallback: fallback === undefined ? null : whole(fallback),
      })
      .execute()
    const until = now + (ended ?? disabled ?? 0) * DAY
    await insertVisits(db, visitors, { newsletterId, link: id, from: now + from * DAY, until, ...visits })
  }
  await db
    .insertInto('utm_template')
    .values(templates.map((template) => ({ newsletter_id: newsletterId, ...template })))
    .execute()
}
