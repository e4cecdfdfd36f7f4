import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { exportLinkSources } from '../../server/links/contract.ts'
import { addressOf } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { DownloadLink } from '../ui/download-link.tsx'
import { Section } from '../ui/section.tsx'
import classes from './links.module.css'
import type { LinkFigures } from './queries.ts'

const SHOWN = 8

/** Where the clicks of a link came from, in both numbers. */
export function Facets({ figures }: { figures: LinkFigures }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { locale } = useFormat()
  const { id: newsletterId } = useNewsletter()
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const named = {
    devices: (value: string) => t(`links.device.${value as 'phone'}`),
    referrers: (value: string) => value || t('links.noReferrer'),
    countries: (value: string) => (value ? (countries.of(value) ?? value) : t('links.noCountry')),
  }
  const shown = figures.countriesKnown
    ? (['devices', 'referrers', 'countries'] as const)
    : (['devices', 'referrers'] as const)
  return (
    <div className={classes.facets}>
      {shown.map((facet) => (
        <Section key={facet} title={t(`links.${facet}`)}>
          <Bars
            rows={figures[facet]
              .slice(0, SHOWN)
              .map(({ value, ...clicks }) => ({ name: named[facet](value), ...clicks }))}
            more={figures[facet].length - SHOWN}
          />
        </Section>
      ))}
      <p className={classes.hint}>
        {t(figures.countriesKnown ? 'links.facetsText' : 'links.facetsTextNoCountries')}{' '}
        <DownloadLink
          href={addressOf(exportLinkSources, { newsletterId, linkId: figures.link.id }, { sheet })}
          label={t('links.sourcesCsv')}
        />
      </p>
    </div>
  )
}

interface Counted {
  name: string
  raw: number
  human: number
}

function Bars({ rows, more }: { rows: Counted[]; more: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const most = Math.max(1, ...rows.map(({ raw }) => raw))
  if (rows.length === 0) return <p className={classes.hint}>{t('links.noClicks')}</p>
  return (
    <>
      <ul className={classes.bars}>
        <li aria-hidden="true">
          <small>{t('links.humanShort')}</small>
          <small>{t('links.rawShort')}</small>
        </li>
        {rows.map(({ name, raw, human }) => (
          <li key={name}>
            <span>{name}</span>
            <b>
              {format.number(human)}
              <VisuallyHidden> {t('ui.clicks.humanCount', { count: human })},</VisuallyHidden>
            </b>
            <span>
              {format.number(raw)}
              <VisuallyHidden> {t('ui.clicks.rawCount', { count: raw })}</VisuallyHidden>
            </span>
            <i style={{ width: `${(raw / most) * 100}%` }}>
              <i style={{ width: `${(human / Math.max(1, raw)) * 100}%` }} />
            </i>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.hint}>{t('links.more', { count: more, n: format.number(more) })}</p>}
    </>
  )
}
