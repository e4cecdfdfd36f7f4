import MailComposer from 'nodemailer/lib/mail-composer'
import { type Claim, thousands } from './claim.ts'

const READERS = 10_000
const COMPOSED = 2_000
const RATIO = 0.5

/** Sending a publication through the whole house to a relay in another process, beside composing each mail by itself. */
export const delivery: Claim = {
  name: 'delivery',
  async measure({ newsletterId, database, call }) {
    await database.query(`update "user" set email_verified = true`)
    await database.query(
      `update newsletter set sender_address = 'bench@example.org', postal_address = '4 quai de la Criée' where id = $1`,
      [newsletterId],
    )
    await database.query(
      `insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at)
       select $1, gen_random_uuid(), mail, mail, 'Ada ' || n, 'en', 'active', now()
       from generate_series(1, $2::integer) n, lateral (select 'press-' || n || '@example.com') r (mail)`,
      [newsletterId, READERS],
    )
    const path = `/api/newsletters/${newsletterId}/publications`
    const { id } = await call<{ id: string }>('POST', path, { title: 'Low tide', content: letter })
    const { email, text } = await call<{ email: string; text: string }>('POST', `${path}/${id}/preview`, {})
    const composing = await composeEach(email, text)
    await call('POST', `${path}/${id}/send`, {})
    const { accepted, seconds } = await whenSent(id)
    const rate = accepted / seconds
    return [
      {
        claim: `a publication of ${Math.round(email.length / 1024)} kB accepted by a relay, beside nodemailer only composing it`,
        promised: `≥ ${RATIO} ×`,
        measured: `${(rate / composing).toFixed(2)} × (${thousands(rate)}/s, ${thousands(composing)}/s composed)`,
        kept: rate >= RATIO * composing,
      },
      {
        claim: 'readers accepted, each once',
        promised: thousands(READERS),
        measured: thousands(accepted),
        kept: accepted === READERS,
      },
    ]

    async function whenSent(publicationId: string): Promise<{ accepted: number; seconds: number }> {
      for (;;) {
        const { rows } = await database.query(
          `select c.accepted, extract(epoch from p.finished_at - p.started_at)::float as seconds, p.status
           from publication p left join delivery_count c on c.publication_id = p.id where p.id = $1`,
          [publicationId],
        )
        if (!['sending'].includes(rows[0].status)) return rows[0]
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  },
}

/** Messages a second that nodemailer puts together, with nobody to send them to. */
async function composeEach(html: string, text: string): Promise<number> {
  const begun = performance.now()
  for (let n = 0; n < COMPOSED; n++) {
    const to = { name: `Ada ${n}`, address: `press-${n}@example.com` }
    await new MailComposer({ from: 'bench@example.org', to, subject: 'Low tide', html, text }).compile().build()
  }
  return COMPOSED / ((performance.now() - begun) / 1_000)
}

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const words = 'Twice a day the sea leaves, and for an hour the harbour belongs to those who know where to walk. '
const letter = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Dear ' },
        { type: 'mergeTag', attrs: { field: 'name', fallback: 'reader' } },
        { type: 'text', text: ', see ' },
        { type: 'text', text: 'the tide', marks: [{ type: 'link', attrs: { href: 'https://example.org/tide' } }] },
      ],
    },
    ...Array.from({ length: 12 }, (_, n) => paragraph(`${n + 1}. ${words.repeat(3)}`)),
  ],
}
