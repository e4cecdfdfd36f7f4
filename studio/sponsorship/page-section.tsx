import { Anchor, Button, Checkbox, Radio, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../server/languages.ts'
import { SponsorFigure, type SponsorshipSettings, updateSponsorship } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { useLanguageNames } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { sponsorPagePath } from './booking-path.ts'
import { sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'

const states = ['closed', 'open', 'listed'] as const

const bodyOf = ({ page, figures, words }: SponsorshipSettings) => ({
  page,
  figures: SponsorFigure.options.filter((one) => figures.includes(one)),
  words: Object.fromEntries(languages.flatMap((one) => (words[one]?.trim() ? [[one, words[one]]] : []))),
})

/** Whether sponsors can ask by themselves, and what they see. */
export function PageSection({ settings }: { settings: SponsorshipSettings }) {
  const { t } = useTranslation()
  const { id: newsletterId, handle, language, may } = useNewsletter()
  const languageNames = useLanguageNames(language)
  const address = `${window.location.origin}${sponsorPagePath({ id: newsletterId, handle })}`
  const queries = useQueryClient()
  const [draft, setDraft] = useState(settings)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const set = (values: Partial<SponsorshipSettings>) => setDraft((before) => ({ ...before, ...values }))
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      await call(updateSponsorship, { params: { newsletterId }, body: bodyOf(draft) })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      notifications.show({ message: t('sponsorship.page.saved') })
    } catch (refusal) {
      setError(refusal)
    }
    setBusy(false)
  }
  const isUnsaved = JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(settings)) && !busy
  return (
    <Section title={t('sponsorship.page.title')} lead={t('sponsorship.page.lead')}>
      <form
        className={classes.form}
        data-unsaved={isUnsaved || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <fieldset disabled={!may('sponsorship.write')} className={`${classes.form} ${classes.plain}`}>
          <Radio.Group
            aria-label={t('sponsorship.page.title')}
            value={draft.page}
            onChange={(value) => set({ page: states.find((one) => one === value) ?? 'closed' })}
          >
            <div className={classes.choices}>
              {states.map((value) => (
                <Radio key={value} value={value} label={t(`sponsorship.page.states.${value}`)} />
              ))}
            </div>
          </Radio.Group>
        </fieldset>
        {settings.page !== 'closed' && (
          <>
            <CopyField value={address} />
            <Anchor href={address} target="_blank" rel="noopener">
              {t('sponsorship.page.look')}
            </Anchor>
          </>
        )}
        <fieldset disabled={!may('sponsorship.write')} className={`${classes.form} ${classes.plain}`}>
          <Checkbox.Group
            label={t('sponsorship.page.figures')}
            value={draft.figures}
            onChange={(values) => set({ figures: SponsorFigure.options.filter((one) => values.includes(one)) })}
          >
            <div className={classes.checks}>
              {SponsorFigure.options.map((value) => (
                <Checkbox key={value} value={value} label={t(`sponsorship.page.figure.${value}`)} />
              ))}
            </div>
          </Checkbox.Group>
          {languageNames.map(({ value, name }) => (
            <Textarea
              key={value}
              lang={value}
              label={t('sponsorship.page.words', { language: name })}
              maxLength={600}
              autosize
              minRows={2}
              value={draft.words[value] ?? ''}
              onChange={(event) => set({ words: { ...draft.words, [value]: event.currentTarget.value } })}
            />
          ))}
        </fieldset>
        <ErrorNotice error={error} />
        {may('sponsorship.write') && (
          <div>
            <Button type="submit" loading={busy}>
              {t('ui.save')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}
