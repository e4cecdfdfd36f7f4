import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { translator } from '../translator.ts'

interface Props {
  newsletter: NewsletterRow
  language: Language
  /** Of the mail by which somebody asks whose browser runs no scripts. */
  subject?: string
}

/** Where the browser's proof of work goes. The script `prove` fills it in; without scripts people read what they can do instead. */
export function ProofField({ newsletter, language, subject }: Props) {
  const t = translator(language)
  const asking = subject ?? t('subscribers.page.proof.subject', { newsletter: newsletter.name })
  const to = newsletter.reply_to ?? newsletter.sender_address
  return (
    <>
      <input type="hidden" name="proof" data-challenge={`/subscribe/${nameInAddress(newsletter)}/challenge`} />
      <p
        className="small proof-state"
        role="status"
        data-working={t('subscribers.page.proof.working')}
        data-ready={t('subscribers.page.proof.ready')}
        data-failed={t('subscribers.page.proof.failed')}
      />
      <noscript>
        <p className="note">
          {t('subscribers.page.proof.noScript')}{' '}
          {to ? (
            <a href={`mailto:${to}?subject=${encodeURIComponent(asking)}`}>{t('subscribers.page.proof.byMail')}</a>
          ) : null}
        </p>
      </noscript>
    </>
  )
}
