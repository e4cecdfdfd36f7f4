import { ColorInput, Input, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { useSentencesIn } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import { accentStyle } from './accent.ts'
import { LogoField } from './logo-field.tsx'
import classes from './newsletters.module.css'
import { defaultPairing, type Pairing, pairingNames, pairings } from './pairings.ts'
import { SettingsForm, SettingsPage } from './settings-page.tsx'
import { useSettingsForm } from './use-settings-form.tsx'

const swatches = ['#0C5C5A', '#9A3412', '#3F3D7A', '#2148B5', '#7F5200', '#943A61', '#17694A', '#272B35']

/** The accent, the fonts and the logo of a newsletter, with a preview. */
export function BrandingPage() {
  const { t } = useTranslation()
  const { logoUrl: savedLogo } = useNewsletter()
  const [logoUrl, setLogoUrl] = useState(savedLogo)
  const settings = useSettingsForm(['accent', 'pairing', 'logoMediaId'], ['logoMediaId'], 'branding.write')
  const { form } = settings
  const { accent, pairing } = form.getValues()
  return (
    <SettingsPage title={t('shell.settings.branding')} lead={t('newsletters.branding.lead')}>
      <div className={classes.branding}>
        <SettingsForm form={settings}>
          <ColorInput
            label={t('newsletters.branding.accent')}
            description={t('newsletters.branding.accentHint')}
            format="hex"
            swatches={swatches}
            swatchesPerRow={8}
            eyeDropperButtonProps={{ 'aria-label': t('newsletters.branding.eyeDropper') }}
            {...form.getInputProps('accent')}
          />
          <PairingField
            value={pairing || defaultPairing}
            accent={accentStyle(accent).accent}
            onChange={(value) => form.setFieldValue('pairing', value)}
          />
          <LogoField
            url={logoUrl}
            error={form.errors.logoMediaId}
            onChange={(media) => {
              form.setFieldValue('logoMediaId', media?.id ?? '')
              setLogoUrl(media?.url ?? null)
            }}
          />
        </SettingsForm>
        <Preview accent={accent} pairing={pairing || defaultPairing} logoUrl={logoUrl} />
      </div>
    </SettingsPage>
  )
}

function PairingField(props: { value: Pairing; accent: string; onChange: (value: Pairing) => void }) {
  const { t } = useTranslation()
  const { name: newsletterName } = useNewsletter()
  const nameOf = (pairing: Pairing) =>
    pairing === 'systeme' ? t('newsletters.branding.system') : pairings[pairing].name
  return (
    <Input.Wrapper label={t('newsletters.branding.pairing')} labelElement="div">
      <div className={classes.pairings} role="radiogroup" aria-label={t('newsletters.branding.pairing')}>
        {pairingNames.map((pairing) => (
          <label key={pairing} className={classes.pairing}>
            <input
              type="radio"
              name="pairing"
              checked={props.value === pairing}
              onChange={() => props.onChange(pairing)}
              aria-label={nameOf(pairing)}
            />
            <span className={classes.specimen} style={{ fontFamily: pairings[pairing].display }}>
              {newsletterName}
            </span>
            <small>{nameOf(pairing)}</small>
          </label>
        ))}
      </div>
    </Input.Wrapper>
  )
}

function Preview({ accent, pairing, logoUrl }: { accent: string; pairing: Pairing; logoUrl: string | null }) {
  const { t } = useTranslation()
  const { name, description, language } = useNewsletter()
  const inItsLanguage = useSentencesIn(language)
  const [night, setNight] = useState(false)
  const faces = pairings[pairing]
  const colours = accentStyle(accent)
  const style = {
    '--accent': night ? colours.accentNight : colours.accent,
    '--on-accent': night ? colours.onAccentNight : colours.onAccent,
    '--display': faces.display,
    '--display-weight': faces.displayWeight,
    '--display-tracking': faces.displayTracking,
    '--text': faces.text,
    '--ui': faces.ui,
  }
  return (
    <div className={classes.preview}>
      <Section
        title={t('newsletters.branding.preview')}
        aside={
          <SegmentedControl
            aria-label={t('newsletters.branding.preview')}
            value={night ? 'night' : 'day'}
            onChange={(value) => setNight(value === 'night')}
            data={[
              { value: 'day', label: t('newsletters.branding.day') },
              { value: 'night', label: t('newsletters.branding.night') },
            ]}
          />
        }
      >
        <div className={classes.samplePage} style={style} data-night={night || undefined} lang={language}>
          <div className={classes.masthead}>{logoUrl ? <img src={logoUrl} alt={name} /> : holdMarks(name)}</div>
          <p className={classes.teaser}>
            {logoUrl && <b>{holdMarks(name)}</b>}
            {description || t('newsletters.branding.noDescription')}
          </p>
          <p className={classes.sampleTitle}>{inItsLanguage('newsletters.branding.sampleTitle')}</p>
          <p className={classes.sampleText}>{inItsLanguage('newsletters.branding.sampleText')}</p>
          <span className={classes.sampleButton}>{inItsLanguage('newsletters.branding.sampleButton')}</span>
        </div>
      </Section>
    </div>
  )
}
