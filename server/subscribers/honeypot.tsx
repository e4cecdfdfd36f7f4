import type { Language } from '../languages.ts'
import { translator } from '../translator.ts'

/** The name of a field that bots fill in and that people do not see. */
export const HONEYPOT = 'website'

/** The field that bots fill in. Screen readers, the keyboard and autofill pass it by. */
export function Honeypot({ language }: { language: Language }) {
  const t = translator(language)
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        {t('subscribers.page.leaveEmpty')}
        <input type="text" name={HONEYPOT} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
