import { ActionIcon, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import type { Publication } from '../publications/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconExternalLink } from '../ui/icons.ts'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './link-clicks.module.css'
import { linkPath, linksQuery } from './queries.ts'

/** The links of a publication, most clicked first. */
export function LinkClicks({ of, raw = 0 }: { of: Publication; raw?: number | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const newsletter = useNewsletter()
  const links = useQuery(linksQuery(newsletter.id, of))
  return (
    <Section title={t('publish.links.title')}>
      <QueryContent query={links}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={classes.empty}>
              {t(
                of.channel === 'web'
                  ? 'publish.links.noneOnWeb'
                  : newsletter.clickPrivacy === 'off'
                    ? 'publish.links.off'
                    : 'publish.links.none',
              )}
            </p>
          ) : (
            <>
              <Table className={classes.table ?? ''}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('publish.links.target')}</Table.Th>
                    <Table.Th ta="right">{t('publish.links.people')}</Table.Th>
                    <Table.Th ta="right">{t('publish.links.human')}</Table.Th>
                    <Table.Th ta="right">{t('publish.links.raw')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows
                    .toSorted((a, b) => b.clicks.human - a.clicks.human)
                    .map((link) => (
                      <Table.Tr key={link.id}>
                        <Table.Td className={classes.target}>
                          <span>
                            <Link to={linkPath(link.id)}>{link.target.replace(/^https?:\/\//, '')}</Link>
                            <ActionIcon
                              variant="subtle"
                              color="gray"
                              component="a"
                              href={link.target}
                              target="_blank"
                              rel="noopener"
                              aria-label={t('publish.links.open', { target: link.target })}
                            >
                              <IconExternalLink size={15} stroke={1.6} />
                            </ActionIcon>
                          </span>
                        </Table.Td>
                        <Table.Td data-right data-column={t('publish.links.people')}>
                          {format.number(link.clicks.people)}
                        </Table.Td>
                        <Table.Td data-right data-column={t('publish.links.human')}>
                          {format.number(link.clicks.human)}
                        </Table.Td>
                        <Table.Td data-right data-column={t('publish.links.raw')}>
                          {format.number(link.clicks.raw)}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                </Table.Tbody>
              </Table>
              {raw > rows.reduce((sum, { clicks }) => sum + clicks.raw, 0) && (
                <p className={classes.empty}>{t('publish.links.hidden')}</p>
              )}
            </>
          )
        }
      </QueryContent>
    </Section>
  )
}
