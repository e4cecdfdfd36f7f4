import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './dashboard.module.css'

/** Placeholders in the shape of the dashboard while it loads, so that nothing moves when the figures arrive. */
export function DashboardSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={classes.columns} role="status" aria-label={t('ui.loading')}>
      <div>
        <Skeleton h={12} w={120} radius={2} mb={24} />
        <Skeleton h={65} w={200} radius={2} mb={24} />
        <Skeleton h={216} radius={0} mb={24} />
        <Skeleton h={180} radius={0} />
      </div>
      <div className={classes.aside}>
        <Skeleton h={240} radius={0} mb={24} />
        <Skeleton h={160} radius={0} />
      </div>
    </div>
  )
}
