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

/** A plan as the mail names it. */
export interface NamedPlan {
  name: string
  /** Otherwise it is a gift. */
  isPaid: boolean
  /** The last day; null: for good. */
  until: string | null
}

export interface Confirmation {
  kind: ConfirmationKind
  newsletter: NewsletterRow
  language: Language
  /** Where the mail's button leads. */
  address: string
  /** What they may read already. */
  plan: NamedPlan | null
}

/** Never repeats what was typed into the form beside the address: anybody may type abuse there. */
export function renderConfirmation(
  config: Pick<Config, 'publicUrl'>,
  { kind, newsletter, language, address, plan }: Confirmation,
): RenderedMail & { subject: string } {
  const t = translator(language)
  const named = { newsletter: newsletter.name, plan: plan?.name ?? '' }
  const asked = { newsletter, language, address }
  if (kind !== 'reads')
    return renderLinkMail(config, { ...asked, words: (part) => t(`subscribers.mail.${kind}.${part}`, named) })
  const given = plan?.isPaid ? 'paid' : 'given'
  const opened = [
    t(`readers.entered.text.${given}`, named),
    ...(plan?.until ? [t('readers.entered.until', { date: plan.until })] : []),
  ].join(' ')
  return renderLinkMail(config, {
    ...asked,
    more: [t('subscribers.mail.reads.question', named)],
    link: {
      label: t('subscribers.mail.reads.signIn'),
      address: `${config.publicUrl}/signin/${nameInAddress(newsletter)}`,
    },
    words: (part) => {
      if (part === 'text') return opened
      return part === 'title' ? t(`readers.entered.title.${given}`) : t(`subscribers.mail.reads.${part}`, named)
    },
  })
}
