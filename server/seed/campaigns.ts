import { sql } from 'kysely'
import { optInAddress } from '../campaigns/opt-in/address.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { DAY } from './subscribers.ts'

interface Campaign {
  id: string
  name: string
  /** In days from now. */
  from: number
  until: number | null
  cap: number | null
  accent: string | null
  sponsor: { name: string; address: string; privacy: string } | null
  words: Record<'en' | 'fr', { question: string; offer: string; yes: string; afterYes: string }>
  /** With their visits by people and by programs, and with those who said yes. */
  places: { link: string; name: string; people: number; programs: number; yes: number }[]
}

const campaigns: Campaign[] = [
  {
    ...{ id: 'KepRyeBox9', name: 'Kelp & Rye, winter box', from: -26, until: 9, cap: 150, accent: '#3f5a1c' },
    sponsor: {
      name: 'Kelp & Rye Ltd',
      address: '14 Shandon Street, Cork',
      privacy: 'https://kelpandrye.example/privacy',
    },
    words: {
      en: {
        question: 'Shall we introduce you to Kelp & Rye?',
        offer:
          'A bakery in Cork that works with seaweed flour. One box to taste in January, then a letter at each season. Nothing between the two.',
        yes: 'Yes, pass on my address',
        afterYes: 'Thank you. Kelp & Rye will write within a week. Changed your mind? One press undoes it.',
      },
      fr: {
        question: 'Faire connaissance avec Kelp & Rye ?',
        offer:
          'Une boulangerie de Cork qui travaille la farine d’algue. Un coffret à goûter en janvier, puis une lettre à chaque saison. Rien entre les deux.',
        yes: 'Oui, transmettre mon adresse',
        afterYes: 'Merci. Kelp & Rye vous écrira dans la semaine. Vous changez d’avis ? Un geste suffit.',
      },
    },
    places: [
      { link: 'kelp-rye', name: 'Kelp & Rye, winter box', people: 38, programs: 21, yes: 7 },
      { link: 'kr-web', name: 'Under the text, on the web', people: 204, programs: 96, yes: 41 },
      { link: 'kr-card', name: 'Printed card', people: 57, programs: 2, yes: 23 },
    ],
  },
  {
    ...{ id: 'WaLksAtLow', name: 'Walks at low water', from: -60, until: null, cap: null, accent: null, sponsor: null },
    words: {
      en: {
        question: 'Shall we tell you of our walks?',
        offer: 'Six times a year we walk out at low water, twenty at a time. Whoever asks is told first.',
        yes: 'Yes, tell me first',
        afterYes: 'You will hear of the next walk before everybody else.',
      },
      fr: {
        question: 'Vous prévenir de nos sorties ?',
        offer: 'Six fois l’an, nous sortons à marée basse, à vingt. Qui le demande est prévenu le premier.',
        yes: 'Oui, prévenez-moi',
        afterYes: 'Vous saurez avant tout le monde quand est la prochaine sortie.',
      },
    },
    places: [
      { link: 'walks', name: 'Walks at low water', people: 61, programs: 17, yes: 12 },
      { link: 'walks-foot', name: 'At the foot of each letter', people: 388, programs: 240, yes: 96 },
    ],
  },
]

/** Two campaigns that ask readers, with their places, visits and yeses. A small demo has fewer. */
export async function insertCampaigns(
  db: Db,
  config: Pick<Config, 'publicUrl'>,
  { newsletterId, now }: { newsletterId: string; now: number },
): Promise<void> {
  for (const campaign of campaigns) {
    await insertCampaign(db, config, { newsletterId, now, campaign })
    let skipped = 0
    for (const place of campaign.places) {
      await insertVisits(db, { newsletterId, now, campaign }, place)
      await insertYeses(db, { newsletterId, now, campaign, skipped }, place)
      skipped += place.yes
    }
    await sql`
      update opt_in_campaign o set taken = (select count(*) from opt_in y where y.newsletter_id = o.newsletter_id
        and y.campaign_id = o.id and y.undone_at is null) where newsletter_id = ${newsletterId} and id = ${campaign.id}`.execute(
      db,
    )
  }
}

interface Of {
  newsletterId: string
  now: number
  campaign: Campaign
}

async function insertCampaign(db: Db, config: Pick<Config, 'publicUrl'>, { newsletterId, now, campaign }: Of) {
  const { id, name, from, until, cap, accent, sponsor, words, places } = campaign
  const at = (days: number) => new Date(now + days * DAY)
  const key = { newsletter_id: newsletterId, id }
  const links = places.map((place) => ({
    ...{ newsletter_id: newsletterId, id: place.link, name: place.name, target: optInAddress(config, id) },
    created_at: at(from),
  }))
  await db.insertInto('short_link').values(links).execute()
  const period = { starts_at: at(from), ends_at: until === null ? null : at(until), created_at: at(from - 3) }
  await db
    .insertInto('campaign')
    .values({ ...key, kind: 'opt-in', name, version: 2, ...period })
    .execute()
  await db
    .insertInto('opt_in_campaign')
    .values({
      ...{ ...key, cap, accent, short_link_id: places[0]?.link ?? '' },
      beneficiary: sponsor ? 'sponsor' : 'newsletter',
      ...{ sponsor_name: sponsor?.name ?? '', sponsor_address: sponsor?.address ?? '' },
      sponsor_privacy: sponsor?.privacy ?? '',
    })
    .execute()
  const written = (['en', 'fr'] as const).map((language) => {
    const { question, offer, yes, afterYes } = words[language]
    return { language, question, offer, yes, after_yes: afterYes }
  })
  await db
    .insertInto('campaign_words')
    .values(written.map((row) => ({ newsletter_id: newsletterId, campaign_id: id, version: 2, ...row })))
    .execute()
}

type Place = Campaign['places'][number]

/** More of them in the first days than later. */
const insertVisits = (db: Db, { newsletterId, now, campaign }: Of, { link, people, programs }: Place) =>
  sql`
  insert into click (newsletter_id, short_link_id, at, excluded_by, device)
  select ${newsletterId}, ${link}, ${new Date(now)}::timestamptz + ${campaign.from}::float8 * interval '1 day'
      * (1 - power((n * 37 % 101) / 101.0, 2)), case when n > ${people} then (array['scanner', 'bot', 'prefetch'])[1 + n % 3] end,
    (array['phone', 'phone', 'desktop', 'tablet'])[1 + n % 4]
  from generate_series(1, ${people + programs}::integer) n`.execute(db)

/** Subscribers who were there by then. One in fourteen took it back some days later. */
const insertYeses = (
  db: Db,
  { newsletterId, now, campaign, skipped }: Of & { skipped: number },
  { link, yes }: Place,
) =>
  sql`
  insert into opt_in (newsletter_id, campaign_id, id, subscriber_id, short_link_id, version, language, confirmed_at, undone_at, passed_at)
  select y.newsletter_id, ${campaign.id}, gen_random_uuid(), y.id, ${link}, 2, y.language, y.at,
    case when y.place % 14 = 5 then least(y.at + interval '3 days', ${new Date(now)}::timestamptz) end, y.at
  from (
    select s.newsletter_id, s.id, s.language, s.place, ${new Date(now)}::timestamptz
      + ${campaign.from}::float8 * interval '1 day' * (1 - power((s.place * 37 % 101) / 101.0, 2)) - interval '10 minutes' as at
    from (
      select newsletter_id, id, language, row_number() over (order by md5(id::text || ${campaign.id})) as place from subscriber
      where newsletter_id = ${newsletterId} and status = 'active' and confirmed_at < ${new Date(now)}::timestamptz + ${campaign.from}::float8 * interval '1 day'
    ) s where s.place > ${skipped}::integer and s.place <= ${skipped + yes}::integer
  ) y`.execute(db)
