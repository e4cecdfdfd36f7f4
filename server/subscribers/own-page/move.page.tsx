import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, noticePage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { translator } from '../../translator.ts'
import { type Address, maskAddress } from '../address.ts'
import { consentWording } from '../consent.ts'
import { Sentence } from '../sentence.tsx'
import type { MoveKind } from './move-links.ts'

const style = stylesheet(columnSource, formSource)

interface MovePageProps {
  newsletter: NewsletterRow
  language: Language
  to: Address
  kind: MoveKind
}

/** Asks for the click that moves a subscription, or takes it back. */
export function movePage({ newsletter, language, to, kind }: MovePageProps): RenderedPage {
  const t = translator(language)
  const title = t(`own.movePage.${kind}.title`)
  return renderPage(
    { ...brandedPage(newsletter, language), css: style, title, noIndex: true, hrefIn: inLanguage },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => t(`own.movePage.${kind}.text`, values)}
          address={maskAddress(to.typed)}
          newsletter={newsletter.name}
        />
      </p>
      <p className="note">{consentWording(kind === 'to' ? 'moved' : 'movedBack', newsletter.name, language)}</p>
      <form method="post">
        <button type="submit" className="button full-width-on-phones">
          {t(`own.movePage.${kind}.button`)}
        </button>
      </form>
    </main>,
  )
}

export function movedPage({ newsletter, language, to }: MovePageProps): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('own.movePage.done.title'),
    text: t('own.movePage.done.text', { newsletter: newsletter.name, address: maskAddress(to.typed) }),
  })
}

/** For a link that is false, was used, is too old, or leads to an address that can no longer be moved to. It is the same for all of them. */
export function endedMovePage(language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(null, language, { title: t('own.movePage.ended.title'), text: t('own.movePage.ended.text') })
}
