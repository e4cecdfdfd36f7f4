import type { Config } from '../config.ts'
import { type RenderedMail, renderSystemMail } from '../email/render.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { logoOf } from '../newsletters/branded-page.tsx'
import { brandStyle } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

type Instance = Pick<Config, 'publicUrl'>
type Letter = RenderedMail & { subject: string }

/** Asks to confirm. Whatever was typed into the form beside the address is never repeated: it may be somebody's abuse. */
export const renderConfirmation = (
  config: Instance,
  newsletter: NewsletterRow,
  language: Language,
  address: string,
): Letter => letter(config, 'confirm', newsletter, language, address)

/** For an address that is subscribed already. */
export const renderReminder = (
  config: Instance,
  newsletter: NewsletterRow,
  language: Language,
  address: string,
): Letter => letter(config, 'already', newsletter, language, address)

function letter(
  config: Instance,
  kind: 'confirm' | 'already',
  newsletter: NewsletterRow,
  language: Language,
  address: string,
): Letter {
  const t = translator(language)
  const words = (part: 'subject' | 'title' | 'preheader' | 'text' | 'action' | 'after') =>
    t(`subscribers.mail.${kind}.${part}`, { newsletter: newsletter.name })
  const rendered = renderSystemMail({
    t,
    language,
    style: brandStyle(newsletter.accent, newsletter.pairing),
    from: newsletter.name,
    logo: logoOf(config, newsletter),
    title: words('title'),
    preheader: words('preheader'),
    paragraphs: [words('text')],
    action: { label: words('action'), address },
    after: [words('after')],
    postalAddress: newsletter.postal_address || null,
  })
  return { subject: words('subject'), ...rendered }
}
