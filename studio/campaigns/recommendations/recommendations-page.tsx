import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportRecommendations } from '../../../server/campaigns/recommendations/contract.ts'
import { addressOf } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { OursSection } from './ours-section.tsx'
import { daysOf, type Period, periods } from './queries.ts'
import classes from './recommendations.module.css'
import { TheirsSection } from './theirs-section.tsx'

/** Whom the newsletter recommends, who recommends it, and what came of both. */
export function RecommendationsPage() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const [period, setPeriod] = useState<Period>('quarter')
  return (
    <>
      <PageTitle title={t('shell.titles.recommendations')} lead={t('recommendations.lead')} />
      <div className={classes.bar}>
        <Select
          label={t('recommendations.period')}
          allowDeselect={false}
          data={periods.map((value) => ({ value, label: t(`recommendations.periods.${value}`) }))}
          value={period}
          onChange={(value) => setPeriod(periods.find((one) => one === value) ?? 'quarter')}
        />
        <Button
          component="a"
          href={addressOf(exportRecommendations, { newsletterId: id }, { ...daysOf(period), sheet })}
          download
          leftSection={<IconDownload size={14} stroke={1.6} />}
        >
          {t('recommendations.csv')}
        </Button>
      </div>
      <p className={classes.hint}>{t('recommendations.countsHint')}</p>
      <OursSection period={period} />
      <TheirsSection period={period} />
    </>
  )
}
