import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import type { RenderedPage } from '../../page/render.ts'
import { translator } from '../../translator.ts'

/** Says that the browser goes on to Stripe's page, with a link for where it does not. */
export function goingPage(
  newsletter: NewsletterRow,
  language: Language,
  { url, test }: { url: string; test: boolean },
): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('stripe.page.going'),
    text: t(test ? 'stripe.page.goingTest' : 'stripe.page.goingText'),
    band: test ? t('readers.testBand') : null,
    action: { label: t('stripe.page.go'), href: url },
  })
}
