import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { scriptAddress } from '../../page/scripts.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { ProofField } from '../../subscribers/proof-field.tsx'
import { translator } from '../../translator.ts'

const MAX_FIELD = 500

const style = stylesheet(columnSource, formSource)

/** What a buyer has sent, and sends again with the proof. */
interface Again {
  fields: Readonly<Record<string, string>>
  /** Where to. */
  action: string
  /** The names of the fields that are sent. */
  kept: readonly string[]
}

/** Asks a buyer for a proof of work, while many send forms to the newsletter. Nothing of what they typed is lost. */
export function proofPage(
  newsletter: NewsletterRow,
  language: Language,
  { fields, action, kept }: Again,
): RenderedPage {
  const t = translator(language)
  const title = t('stripe.page.proof.title')
  return renderPage(
    { ...brandedPage(newsletter, language), css: style, title, script: scriptAddress('prove'), noIndex: true },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">{t('stripe.page.proof.text')}</p>
      <form action={`${action}${inLanguage(language)}`} method="post">
        {kept.map((name) =>
          fields[name] ? <input key={name} type="hidden" name={name} value={fields[name].slice(0, MAX_FIELD)} /> : null,
        )}
        <ProofField newsletter={newsletter} language={language} />
        <button type="submit" className="button full-width-on-phones">
          {t('stripe.page.go')}
        </button>
      </form>
    </main>,
  )
}
