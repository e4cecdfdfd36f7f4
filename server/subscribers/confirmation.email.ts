import type { Config } from '../config.ts'
import type { RenderedMail } from '../email/render.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { translator } from '../translator.ts'
import { renderLinkMail } from './link.email.ts'

/**
 * `confirm` asks who gave their address, `added` whom a member entered by hand, `member` the same of a member's own address, `reads` for whom a plan was entered with it; `already` is for an
 * address that is subscribed already.
 */
export type ConfirmationKind = 'confirm' | 'added' | 'member' | 'reads' | 'already'

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
  return renderLinkMail(config, {
    newsletter,
    language,
    address,
    link:
      kind === 'reads'
        ? {
            label: t('subscribers.mail.reads.signIn'),
            address: `${config.publicUrl}/signin/${nameInAddress(newsletter)}`,
          }
        : null,
    words: (part) => t(`subscribers.mail.${kind}.${part}`, { newsletter: newsletter.name }),
  })
}
