import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getEmbed } from '../../server/subscribers/embed/contract.ts'
import { call } from '../api.ts'
import { useLanguageChoices } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyAct } from '../ui/copy-field.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './subscribers.module.css'

/** A form for the owner's own site, to copy. */
export function EmbedSection() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const choices = useLanguageChoices()
  const [language, setLanguage] = useState(newsletter.language)
  const embed = useQuery({
    queryKey: [newsletter.id, 'embed', language],
    queryFn: () => call(getEmbed, { params: { newsletterId: newsletter.id }, query: { language } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title={t('newsletters.embed.title')}>
      <p className={classes.embedText}>{t('newsletters.embed.text')}</p>
      <Select
        label={t('newsletters.embed.language')}
        maw={560}
        allowDeselect={false}
        data={choices}
        value={language}
        onChange={(value) => setLanguage(choices.find((one) => one.value === value)?.value ?? language)}
      />
      <QueryContent query={embed}>
        {({ html, script }) => (
          <>
            <Code title={t('newsletters.embed.html')} hint={t('newsletters.embed.htmlHint')} code={html} />
            <Code title={t('newsletters.embed.script')} hint={t('newsletters.embed.scriptHint')} code={script} />
          </>
        )}
      </QueryContent>
      <p className={classes.embedText}>{t('newsletters.embed.policy', { origin: window.location.origin })}</p>
    </Section>
  )
}

function Code({ title, hint, code }: { title: string; hint: string; code: string }) {
  return (
    <section className={classes.embed} aria-label={title}>
      <header>
        <h3>{title}</h3>
        <CopyAct value={code} />
      </header>
      <p className={classes.embedText}>{hint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>{code}</pre>
    </section>
  )
}
