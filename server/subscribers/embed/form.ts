import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { isLanguage, type Language } from '../../languages.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import { translator } from '../../translator.ts'
import { consentWording } from '../consent.ts'
import { HONEYPOT } from '../honeypot.tsx'

/**
 * A form for another site, without styles of its own. It works by itself, and then leads to our pages; the script answers in place. What
 * is ticked says which words it stands for, because a copy stays as it was while ours may change.
 */
export function embeddedForm({ publicUrl }: Pick<Config, 'publicUrl'>, newsletter: NewsletterRow, language: Language) {
  const t = translator(language)
  const html = `<form action="${publicUrl}/subscribe/${nameInAddress(newsletter)}?lang=${language}" method="post" lang="${language}" data-tirage>
  <label>${escapeHtml(t('subscribers.page.email'))}
    <input type="email" name="email" required autocomplete="email">
  </label>
  <label>
    <input type="checkbox" name="consent" value="${consentMark(newsletter, language)}" required>
    ${escapeHtml(consentWording('yes', newsletter.name, language))}
  </label>
  <input name="${HONEYPOT}" hidden tabindex="-1" autocomplete="off">
  <input type="hidden" name="language" value="${language}">
  <button>${escapeHtml(t('subscribers.page.subscribe'))}</button>
</form>`
  return { html, script: `<script async src="${publicUrl}/embed.js"></script>` }
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Names the words of a consent in one language: others have another mark. */
function consentMark({ name }: Pick<NewsletterRow, 'name'>, language: Language): string {
  const words = createHash('sha256')
    .update(consentWording('yes', name, language))
    .digest('base64url')
  return `${language}-${words.slice(0, 10)}`
}

/**
 * What a ticked box says: the words of our page (`yes`), or those of a copied form. `stale`: the words are not today's, so that no receipt
 * can have them. Null: it is not ticked.
 */
export function readConsent(
  value: string,
  newsletter: Pick<NewsletterRow, 'name'>,
): { language: Language | null; stale: boolean } | null {
  if (value === 'yes') return { language: null, stale: false }
  const language = /^([a-z]{2})-[\w-]{10}$/.exec(value)?.[1]
  if (!isLanguage(language)) return null
  return { language, stale: value !== consentMark(newsletter, language) }
}
