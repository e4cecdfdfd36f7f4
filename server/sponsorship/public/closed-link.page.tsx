import type { Language } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import type { RenderedPage } from '../../page/render.ts'
import { translator } from '../../translator.ts'

/** For a sponsor's link that is not whole, or has been replaced. It says nothing of what there is. */
export function closedLinkPage(language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(null, language, { title: t('sponsors.own.closed.title'), text: t('sponsors.own.closed.text') })
}
