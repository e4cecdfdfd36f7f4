import { type RenderedMail, renderLetter } from '../email/render.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { type Language, translator } from '../language.ts'
import { houseStyle, type PairingKey } from '../newsletters/branding.ts'

type Letter = RenderedMail & { subject: string }

/** Asks to confirm. Whatever was typed into the form beside the address is never repeated: it may be somebody's abuse. */
export const renderConfirmation = (newsletter: NewsletterRow, language: Language, address: string): Letter =>
  letter('confirm', newsletter, language, address)

/** For an address that is subscribed already. */
export const renderReminder = (newsletter: NewsletterRow, language: Language, address: string): Letter =>
  letter('already', newsletter, language, address)

function letter(kind: 'confirm' | 'already', newsletter: NewsletterRow, language: Language, address: string): Letter {
  const t = translator(language)
  const words = (part: 'subject' | 'title' | 'preheader' | 'text' | 'action' | 'after') =>
    t(`subscribers.mail.${kind}.${part}`, { newsletter: newsletter.name })
  const rendered = renderLetter({
    t,
    language,
    style: houseStyle(newsletter.accent, newsletter.pairing as PairingKey),
    from: newsletter.name,
    title: words('title'),
    preheader: words('preheader'),
    paragraphs: [words('text')],
    action: { label: words('action'), address },
    after: [words('after')],
    postalAddress: newsletter.postal_address || null,
  })
  return { subject: words('subject'), ...rendered }
}
