import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mailedAddress } from '../http/studio-paths.ts'
import { enqueue } from '../jobs/queue.ts'
import { dateFormat, locales } from '../languages.ts'
import { membersToMail } from '../newsletters/members-to-mail.ts'
import { renderLinkMail } from '../subscribers/link.email.ts'
import { translator } from '../translator.ts'

/** Why a publication may not leave at its time, with a sentence of its own. */
const reasons = [
  'internal',
  'busy',
  'sender_unproven',
  'segment_not_found',
  'owner_unconfirmed',
  'no_title',
  'empty_publication',
  'no_subscribers',
  'no_postal_address',
  'empty_merge_fields',
] as const

interface Missed {
  publication: { id: string; title: string }
  /** When it was to go out. */
  at: Date
  because: string
}

/** Mails those who may send, each in their language, that a publication does not leave at its time, and why. Nobody may be looking then. */
export async function tellMissed(
  tx: Db,
  { config, newsletter }: { config: Pick<Config, 'publicUrl'>; newsletter: NewsletterRow },
  { publication, at, because }: Missed,
): Promise<void> {
  const reason = reasons.find((one) => one === because) ?? 'other'
  for (const { email, language } of await membersToMail(tx, newsletter, 'publications.send')) {
    const t = translator(language)
    const { timezone: timeZone } = newsletter
    const when = dateFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)
    const values = {
      title: publication.title || t('publications.untitled'),
      newsletter: newsletter.name,
      when,
      reason: t(`publish.stopped.${reason}`),
    }
    const mail = renderLinkMail(config, {
      ...{ newsletter, language },
      address: mailedAddress(config.publicUrl, `/publish/create/${publication.id}`, newsletter.id),
      words: (part) => t(`publications.missed.${part === 'title' ? 'subject' : part}`, values),
    })
    await enqueue(tx, 'send_mail', { to: email, newsletterId: newsletter.id, ...mail })
  }
}
