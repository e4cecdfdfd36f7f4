import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import type { Dashboard } from '../queries.ts'
import classes from './activity.module.css'

/** So many stand beside the rest of the dashboard without reaching far below it. */
const MOST_ITEMS = 8

type Item = Dashboard['activity'][number]

/** The last events, newest first. Whoever sees the dashboard may see subscribers too, so addresses are whole. */
export function Activity({ items }: { items: Item[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('dashboard.justIn')}>
      {items.length === 0 ? (
        <p className={classes.empty}>{t('dashboard.nothingYet')}</p>
      ) : (
        <ul className={classes.list}>
          {items.slice(0, MOST_ITEMS).map((item) => (
            <li key={`${item.at} ${item.kind} ${item.email}`}>
              <span>
                <b>{item.email ?? t('dashboard.somebody')}</b>{' '}
                {item.kind === 'clicked' && !item.publicationTitle
                  ? t('dashboard.followed')
                  : t(`dashboard.did.${item.kind}`, { title: shownTitle(item.publicationTitle, t) })}
              </span>
              <time dateTime={item.at}>{format.ago(item.at)}</time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
