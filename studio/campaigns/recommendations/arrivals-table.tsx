import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Arrivals } from '../../../server/campaigns/recommendations/contract.ts'
import { useFormat } from '../../format.ts'
import classes from './recommendations.module.css'

/** Where subscribers said to come from, of other servers. It is no link: anybody can have written the address. */
export function ArrivalsTable({ rows }: { rows: Arrivals[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (rows.length === 0) return null
  const confirmed = t('recommendations.counts.confirmed')
  const last = t('recommendations.remote.last')
  return (
    <>
      <h3 className={classes.subtitle}>{t('recommendations.remote.arrivals')}</h3>
      <p className={classes.hint}>{t('recommendations.remote.arrivalsLead')}</p>
      <Table className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('recommendations.counts.newsletter')}</Table.Th>
            <Table.Th ta="right">{confirmed}</Table.Th>
            <Table.Th ta="right">{last}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.from ?? ''}>
              <Table.Td className={classes.from ?? ''}>{row.from ?? t('recommendations.remote.others')}</Table.Td>
              <Table.Td data-right data-column={confirmed}>
                {format.number(row.confirmed)}
              </Table.Td>
              <Table.Td data-right data-column={last}>
                {format.day(row.lastAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}
