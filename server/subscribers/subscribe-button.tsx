import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'

interface Props {
  newsletter: NewsletterRow
  language: Language
  label: string
}

/** A button that leads to the subscribe page of a newsletter. */
export function SubscribeButton({ newsletter, language, label }: Props) {
  return (
    <p>
      <a
        className="button button-outline full-width-on-phones"
        href={`/subscribe/${nameInAddress(newsletter)}?lang=${language}`}
      >
        {label}
      </a>
    </p>
  )
}
