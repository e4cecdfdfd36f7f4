import type { Config } from '../config.ts'
import { type RenderedMail, renderSystemMail } from '../email/render.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { logoOf } from '../newsletters/branded-page.tsx'
import { brandStyle } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

interface LinkMail {
  newsletter: NewsletterRow
  language: Language
  words: (part: 'subject' | 'title' | 'preheader' | 'text' | 'action' | 'after') => string
  /** Where the button leads. */
  address: string
  /** Paragraphs in the owner's own words, after ours. */
  more?: string[]
  /** Another way on, before the button. */
  link?: { label: string; address: string } | null
}

/** A mail of a newsletter to one person, with one thing to do. */
export function renderLinkMail(
  config: Pick<Config, 'publicUrl'>,
  { newsletter, language, words, address, more = [], link = null }: LinkMail,
): RenderedMail & { subject: string } {
  const rendered = renderSystemMail({
    t: translator(language),
    language,
    style: brandStyle(newsletter.accent, newsletter.pairing),
    from: newsletter.name,
    logo: logoOf(config, newsletter),
    title: words('title'),
    preheader: words('preheader'),
    paragraphs: [words('text'), ...more],
    link,
    action: { label: words('action'), address },
    after: [words('after')],
    postalAddress: newsletter.postal_address || null,
  })
  return { subject: words('subject'), ...rendered }
}
