import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RecommendationCounts } from '../../../server/campaigns/recommendations/contract.ts'
import { useFormat } from '../../format.ts'

const columns = ['shown', 'chosen', 'confirmed', 'stayed'] as const

export function CountHeads() {
  const { t } = useTranslation()
  return columns.map((column) => (
    <Table.Th key={column} ta="right">
      {t(`recommendations.counts.${column}`)}
    </Table.Th>
  ))
}

/** What came of a recommendation, as the cells below `CountHeads`. `elsewhere`: another server counts who confirms. */
export function CountCells({ counts, elsewhere = false }: { counts: RecommendationCounts; elsewhere?: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { still, of } = counts.stayed
  return columns.map((column) => (
    <Table.Td key={column} data-right data-column={t(`recommendations.counts.${column}`)}>
      {column === 'shown' || column === 'chosen' || (column === 'confirmed' && !elsewhere)
        ? format.number(counts[column])
        : column === 'confirmed' || of === 0
          ? '—'
          : t('recommendations.counts.stayedOf', { still: format.number(still), of: format.number(of) })}
    </Table.Td>
  ))
}
