import type { Config } from '../config.ts'
import { type RenderedMail, renderSystemMail } from '../email/render.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { logoOf } from '../newsletters/branded-page.tsx'
import { brandStyle } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

/** `confirm` asks to confirm, `already` is for an address that is subscribed already. */
export type ConfirmationKind = 'confirm' | 'already'

interface Confirmation {
  kind: ConfirmationKind
  newsletter: NewsletterRow
  language: Language
  /** Where the mail's button leads. */
  address: string
}

/** Never repeats what was typed into the form beside the address: anybody may type abuse there. */
export function renderConfirmation(
  config: Pick<Config, 'publicUrl'>,
  { kind, newsletter, language, address }: Confirmation,
): RenderedMail & { subject: string } {
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
