import { Button, Group, Table, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addOptInPlace } from '../../server/campaigns/opt-in/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { linkPath } from '../links/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './campaigns.module.css'
import { type Campaign, campaignsKey } from './queries.ts'

/** Where the campaign is advertised, and what came of each place. */
export function PlacesSection({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns = ['views', 'raw', 'yes', 'confirmed', 'stayed'] as const
  return (
    <Section title={t('campaigns.places.title')}>
      <p className={classes.quiet}>{t('campaigns.places.lead')}</p>
      <Table className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('campaigns.places.place')}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right">
                {t(`campaigns.places.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {campaign.places.map(({ shortLinkId, kind, name, number, url, counts }) => {
            const values = {
              views: format.number(counts.views?.human),
              raw: format.number(counts.views?.raw),
              yes: format.number(counts.yes),
              confirmed: format.number(counts.confirmed),
              stayed:
                counts.stayed.of === 0
                  ? '—'
                  : t('campaigns.places.stayedOf', {
                      still: format.number(counts.stayed.still),
                      of: format.number(counts.stayed.of),
                    }),
            }
            return (
              <Table.Tr key={shortLinkId}>
                <Table.Td>
                  <Link to={linkPath(shortLinkId)}>
                    {number === null ? name || url : `${t('publications.number', { number })}, ${name}`}
                  </Link>
                  <small>
                    {kind === 'page' && `${t('campaigns.places.page')} · `}
                    {url.replace(/^https?:\/\//, '')}
                  </small>
                </Table.Td>
                {columns.map((column) => (
                  <Table.Td key={column} data-right data-column={t(`campaigns.places.${column}`)}>
                    {values[column]}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      <AddPlace campaign={campaign} />
    </Section>
  )
}

function AddPlace({ campaign: { id: campaignId, withdrawnAt } }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { name: '', slug: '' } },
    async ({ name, slug }) => {
      await call(addOptInPlace, { params: { newsletterId, campaignId }, body: { name, ...(slug && { slug }) } })
      form.reset()
      await queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
    },
  )
  if (!may('campaigns.write') || withdrawnAt) return null
  return (
    <form noValidate onSubmit={submit}>
      <ErrorNotice error={error} />
      <Group align="flex-start" gap={8} mt="sm">
        <TextInput
          label={t('campaigns.places.name')}
          placeholder={t('campaigns.places.example')}
          maxLength={120}
          required
          flex="1 1 220px"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('links.slug')}
          description={t('links.slugText')}
          leftSection="/r/"
          maxLength={40}
          flex="1 1 220px"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('slug')}
        />
        <Button type="submit" loading={busy} mt={24}>
          {t('campaigns.places.add')}
        </Button>
      </Group>
    </form>
  )
}
