import { useTranslation } from 'react-i18next'
import classes from './import.module.css'
import type { ShownImport } from './queries.ts'

/** What the consent receipt of each person says. */
export function ReceiptPreview({ one }: { one: ShownImport }) {
  const { t } = useTranslation()
  if (!one.choices) return null
  const { words, origin, tag } = one.choices
  const facts = [
    [t('imports.receipt.origin'), t(`imports.consent.origins.${origin}`)],
    [t('imports.receipt.by'), one.by ?? t('imports.receipt.someone')],
    [t('imports.receipt.file'), one.fileName],
    ...(tag === null ? [] : [[t('imports.receipt.tag'), tag]]),
  ]
  return (
    <section className={classes.receipt} aria-label={t('imports.receipt.title')}>
      <header>
        <h2>{t('imports.receipt.title')}</h2>
        <small>{t('imports.receipt.each')}</small>
      </header>
      <blockquote>
        <q>{words}</q>
      </blockquote>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
