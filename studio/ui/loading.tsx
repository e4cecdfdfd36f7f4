import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './ui.module.css'

/** Placeholder lines, as many as are expected, so that nothing moves when the content arrives. */
export function Loading({ lines = 6, row = 44 }: { lines?: number; row?: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('ui.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <div key={line} className={classes.loadingRow} style={{ height: row }}>
          <Skeleton height={10} width={`${72 - ((line * 17) % 40)}%`} radius={2} />
        </div>
      ))}
    </div>
  )
}
