import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/section.tsx'
import classes from './import.module.css'
import type { ShownImport } from './queries.ts'

/** What the consent receipt of each person says, and what else was chosen for all of them. */
export function ReceiptPreview({ one }: { one: ShownImport }) {
  const { t } = useTranslation()
  if (!one.choices) return null
  const { words, origin, existing, tag } = one.choices
  return (
    <>
      <section className={classes.receipt} aria-label={t('imports.receipt.title')}>
        <header>
          <h2>{t('imports.receipt.title')}</h2>
          <small>{t('imports.receipt.each')}</small>
        </header>
        <blockquote>
          <q>{words}</q>
        </blockquote>
        <Facts
          of={[
            [t('imports.receipt.origin'), t(`imports.consent.origins.${origin}`)],
            [t('imports.receipt.proof'), t('imports.receipt.proofOf', { id: one.id })],
          ]}
        />
      </section>
      <Section title={t('imports.receipt.import')} className={classes.part}>
        <div className={classes.facts}>
          <Facts
            of={[
              [t('imports.receipt.by'), one.by ?? t('imports.receipt.someone')],
              [t('imports.existing.title'), t(`imports.existing.${existing}`)],
              [t('imports.receipt.tag'), tag ?? '—'],
            ]}
          />
        </div>
      </Section>
    </>
  )
}

const Facts = ({ of }: { of: [name: string, value: string][] }) => (
  <dl>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
