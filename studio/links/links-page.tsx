import { Button, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { listShortLinks } from '../../server/links/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { isToBegin } from '../shell/way-back.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconPlus } from '../ui/icons.ts'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { usePagedRows } from '../ui/use-pages.ts'
import { ClicksOff } from './clicks-off.tsx'
import { NotAllAlong } from './counts.tsx'
import classes from './links.module.css'
import { NewLinkDialog } from './new-link-dialog.tsx'
import { linkPath, type ShortLink } from './queries.ts'
import { StandingOfLink } from './standing-of-link.tsx'
import { UtmTemplates } from './utm-templates.tsx'

/** The short links of the owner's own making, newest first, with both numbers of their clicks. */
export function LinksPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const [search, setSearch] = useState('')
  const { state } = useLocation()
  const [isMaking, making] = useDisclosure(isToBegin(state))
  const navigate = useNavigate()
  const { query, rows } = usePagedRows([id, 'clicks', 'own', search], (cursor, signal) =>
    call(listShortLinks, {
      params: { newsletterId: id },
      query: { own: 'true', limit: 50, cursor, ...(search && { search }) },
      signal,
    }),
  )
  const add = may('links.write') && (
    <Button variant="filled" color="encre" leftSection={<IconPlus size={16} stroke={1.6} />} onClick={making.open}>
      {t('links.add')}
    </Button>
  )
  const isEmpty = query.isSuccess && rows.length === 0 && !search
  const oldest = rows.at(-1)
  return (
    <>
      <PageTitle title={t('shell.titles.links')} lead={t('links.lead')}>
        {!isEmpty && add}
      </PageTitle>
      <ClicksOff />
      <div className={classes.bar}>
        <SearchField label={t('links.search')} onSearch={setSearch} />
      </div>
      <QueryContent query={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title={t(search ? 'links.noneFound' : 'links.none')} action={isEmpty && add}>
              {search ? t('links.noneFoundText') : add && t('links.noneText')}
            </EmptyState>
          ) : (
            <Table className={classes.table ?? ''}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('links.link')}</Table.Th>
                  <Table.Th>{t('links.target')}</Table.Th>
                  <Table.Th>{t('links.madeOn')}</Table.Th>
                  <Table.Th ta="right">{t('links.human')}</Table.Th>
                  <Table.Th ta="right">{t('links.raw')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((link) => (
                  <Row key={link.id} link={link} />
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryContent>
      <MoreRows query={query} />
      {oldest && <NotAllAlong began={oldest.createdAt} />}
      <UtmTemplates />
      <NewLinkDialog opened={isMaking} onClose={making.close} onMade={(link) => navigate(linkPath(link.id))} />
    </>
  )
}

function Row({ link }: { link: ShortLink }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table.Tr>
      <Table.Td>
        <Link to={linkPath(link.id)}>{link.name || `/r/${link.id}`}</Link>
        {link.name && <small>{`/r/${link.id}`}</small>}
        <StandingOfLink link={link} onlyWhenOver />
      </Table.Td>
      <Table.Td className={classes.target}>{link.target.replace(/^https?:\/\//, '')}</Table.Td>
      <Table.Td data-column={t('links.madeOn')}>{format.dayOfYear(link.createdAt)}</Table.Td>
      <Table.Td data-right data-column={t('links.human')}>
        {format.number(link.clicks.human)}
      </Table.Td>
      <Table.Td data-right data-column={t('links.raw')}>
        {format.number(link.clicks.raw)}
      </Table.Td>
    </Table.Tr>
  )
}
