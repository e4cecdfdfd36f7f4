import { expect, type Page } from '@playwright/test'
import PostalMime, { type Email } from 'postal-mime'

export interface CaughtMail {
  id: string
  parsed: Email
  html: string
  text: string
  header(name: string): string | undefined
}

interface Wanted {
  to: string
  subject?: RegExp | string
}

/** Waits for a mail of the newsletter in the outbox, and parses its source. */
export async function readMail(page: Page, newsletterId: string, { to, subject }: Wanted): Promise<CaughtMail> {
  const outbox = `/api/newsletters/${newsletterId}/outbox`
  const found = { id: '' }
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${outbox}?search=${encodeURIComponent(to)}`)
      const { rows } = (await answer.json()) as { rows: { id: string; subject: string }[] }
      found.id = rows.find((mail) => matches(mail.subject, subject))?.id ?? ''
      return found.id
    }, `a mail to ${to}`)
    .not.toBe('')
  const answer = await page.request.get(`${outbox}/${found.id}`)
  const { source } = (await answer.json()) as { source: string }
  const parsed = await PostalMime.parse(source)
  return {
    id: found.id,
    parsed,
    html: parsed.html ?? '',
    text: parsed.text ?? '',
    header: (name) => parsed.headers.find(({ key }) => key === name.toLowerCase())?.value,
  }
}

const matches = (subject: string, wanted: Wanted['subject']) =>
  wanted === undefined || (typeof wanted === 'string' ? subject === wanted : wanted.test(subject))

/** The first link in a mail's HTML whose address contains `part`. */
export function linkIn({ html }: CaughtMail, part: string): string {
  const found = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => (href ?? '').replaceAll('&amp;', '&'))
  const link = found.find((href) => href.includes(part))
  if (!link) throw new Error(`no link with ${part} in ${found.join(' ')}`)
  return link
}
