import { Radio, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { tagsQuery } from '../segments/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import type { CampaignDraft, DraftPart } from './campaign-draft.ts'
import classes from './campaigns.module.css'

const kinds = ['newsletter', 'other_newsletter', 'sponsor'] as const

/** Who has something of a yes. It is fixed with the first one, for nobody agreed to somebody else. */
export function BeneficiaryFields({ draft, faults, set, isFixed }: DraftPart & { isFixed: boolean }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const setSponsor = (part: Partial<CampaignDraft['sponsor']>) => set({ sponsor: { ...draft.sponsor, ...part } })
  return (
    <Section title={t('campaigns.beneficiary.title')}>
      <Radio.Group
        aria-label={t('campaigns.beneficiary.title')}
        value={draft.beneficiary}
        onChange={(value) => set({ beneficiary: kinds.find((one) => one === value) ?? 'newsletter' })}
      >
        <div className={classes.choices}>
          {kinds.map((value) => (
            <Radio
              key={value}
              value={value}
              disabled={isFixed && value !== draft.beneficiary}
              label={t(`campaigns.beneficiary.${value}`)}
              description={t(`campaigns.beneficiary.hint.${value}`)}
            />
          ))}
        </div>
      </Radio.Group>
      {isFixed && <p className={classes.quiet}>{t('campaigns.beneficiary.fixed')}</p>}
      {draft.beneficiary === 'newsletter' && (
        <Select
          mt="sm"
          maw={320}
          clearable
          label={t('campaigns.beneficiary.tag')}
          placeholder={t('campaigns.beneficiary.noTag')}
          data={tags.map((tag) => ({ value: String(tag.id), label: tag.name }))}
          value={draft.tagId}
          error={faults['beneficiary.tagId']}
          onChange={(tagId) => set({ tagId })}
        />
      )}
      {draft.beneficiary === 'other_newsletter' && (
        <TextInput
          mt="sm"
          maw={320}
          disabled={isFixed}
          label={t('campaigns.beneficiary.newsletterId')}
          description={t('campaigns.beneficiary.newsletterHint')}
          maxLength={60}
          value={draft.newsletter}
          error={faults['beneficiary.newsletter']}
          onChange={(event) => set({ newsletter: event.currentTarget.value })}
        />
      )}
      {draft.beneficiary === 'sponsor' && (
        <SimpleGrid cols={{ base: 1, xs: 3 }} mt="sm">
          <TextInput
            label={t('campaigns.beneficiary.sponsorName')}
            maxLength={120}
            disabled={isFixed}
            value={draft.sponsor.name}
            error={faults['beneficiary.sponsor.name']}
            onChange={(event) => setSponsor({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('campaigns.beneficiary.sponsorAddress')}
            maxLength={200}
            value={draft.sponsor.address}
            error={faults['beneficiary.sponsor.address']}
            onChange={(event) => setSponsor({ address: event.currentTarget.value })}
          />
          <TextInput
            type="url"
            label={t('campaigns.beneficiary.sponsorPrivacy')}
            maxLength={500}
            placeholder="https://"
            value={draft.sponsor.privacy}
            error={faults['beneficiary.sponsor.privacy']}
            onChange={(event) => setSponsor({ privacy: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </Section>
  )
}
