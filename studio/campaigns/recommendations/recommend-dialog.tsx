import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addRecommendation,
  changeRecommendation,
  type Recommendation,
  recommendationLimits,
} from '../../../server/campaigns/recommendations/contract.ts'
import {
  addRemoteRecommendation,
  type FoundNewsletter,
  findRemoteNewsletter,
} from '../../../server/campaigns/recommendations/remote/contract.ts'
import { type Language, languageName, languagesFrom } from '../../../server/languages.ts'
import { ApiError, call } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import { FoundRemote } from './found-remote.tsx'
import classes from './recommendations.module.css'

interface Props {
  /** `new`: another newsletter; null: closed. */
  editing: Recommendation | 'new' | null
  candidates: { id: string; name: string }[]
  onClose: () => void
  onSaved: () => void
}

/** Which newsletter is recommended, and why. */
export function RecommendDialog({ editing, onClose, ...props }: Props) {
  const { t } = useTranslation()
  const title = editing === 'new' || !editing ? t('recommendations.add') : editing.name
  return (
    <Dialog opened={editing !== null} onClose={onClose} title={title} size="lg">
      {editing && <RecommendForm editing={editing} onClose={onClose} {...props} />}
    </Dialog>
  )
}

function RecommendForm({ editing, candidates, onClose, onSaved }: Props & { editing: Recommendation | 'new' }) {
  const { t } = useTranslation()
  const reader = useLanguage()
  const { id, language } = useNewsletter()
  const languages = languagesFrom(language)
  const isNew = editing === 'new'
  const [found, setFound] = useState<(FoundNewsletter & { address: string }) | null>(null)
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        chosen: candidates[0]?.id ?? '',
        newsletter: '',
        ...(Object.fromEntries(languages.map((one) => [one, isNew ? '' : (editing.reasons[one] ?? '')])) as Record<
          Language,
          string
        >),
      },
    },
    async ({ chosen, newsletter, ...written }) => {
      // Without its own one, that is what is missing.
      const given = Object.entries(written).filter(([one, reason]) => one === language || reason.trim() !== '')
      const body = { reasons: Object.fromEntries(given) }
      const params = { newsletterId: id }
      const address = newsletter.trim()
      const atItsField = whereTyped(chosen === '' ? 'newsletter' : 'chosen')
      if (isNew && chosen === '' && isElsewhere(address)) {
        if (found?.address !== address) {
          const remote = await call(findRemoteNewsletter, { params, body: { address } }).catch(atItsField)
          setFound({ address, ...remote })
          return
        }
        const added = { address, key: found.key, ...body }
        await call(addRemoteRecommendation, { params, body: added }).catch((refusal: unknown) => {
          // It is looked at again before anybody agrees.
          if (refusal instanceof ApiError && refusal.code === 'remote_changed') setFound(null)
          return atItsField(refusal)
        })
      } else if (isNew)
        await call(addRecommendation, { params, body: { newsletter: chosen || newsletter, ...body } }).catch(atItsField)
      else await call(changeRecommendation, { params: { newsletterId: id, recommendationId: editing.id }, body })
      onSaved()
    },
  )
  const { chosen, newsletter } = form.getValues()
  const elsewhere = isNew && chosen === '' && isElsewhere(newsletter.trim())
  const known = elsewhere && found?.address === newsletter.trim() ? found : null
  const looks = elsewhere && !known
  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      {isNew && candidates.length > 0 && (
        <Select
          label={t('recommendations.which')}
          allowDeselect={false}
          data={[
            ...candidates.map(({ id: value, name }) => ({ value, label: name })),
            { value: '', label: t('recommendations.byAddress') },
          ]}
          {...form.getInputProps('chosen')}
        />
      )}
      {isNew && chosen === '' && (
        <TextInput
          label={t(candidates.length > 0 ? 'recommendations.address' : 'recommendations.which')}
          description={t('recommendations.whichHint')}
          required
          maxLength={500}
          {...form.getInputProps('newsletter')}
        />
      )}
      {known && <FoundRemote found={known} />}
      {(looks ? [] : languages).map((one) => (
        <TextInput
          key={one}
          lang={one}
          label={t('recommendations.reasonIn', { language: languageName(one, reader) })}
          required={one === language}
          maxLength={recommendationLimits.reason}
          {...(one === language && { description: t('recommendations.reasonHint') })}
          {...form.getInputProps(one)}
        />
      ))}
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t(looks ? 'recommendations.look' : isNew ? 'recommendations.add' : 'recommendations.save')}
        </Button>
      </Group>
    </form>
  )
}

/** What each refusal of a newsletter itself is called. */
const refused = /^(recommended|recommends|remote)_/

/** What is wrong with a newsletter is said at the field by which it was named. @throws ApiError */
const whereTyped =
  (field: 'newsletter' | 'chosen') =>
  (refusal: unknown): never => {
    if (!(refusal instanceof ApiError)) throw refusal
    const { newsletter, address, ...fields } = refusal.fields
    const sentence = newsletter ?? address ?? (refused.test(refusal.code) ? refusal.message : null)
    if (sentence === null) throw refusal
    throw new ApiError('invalid', refusal.message, { fields: { ...fields, [field]: sentence } })
  }

/** Whether an address leads to another server than this one. A name alone does not. */
const isElsewhere = (address: string): boolean => {
  const url = address.includes('://') ? address : `https://${address}`
  return address.includes('/') && !address.startsWith('/') && URL.canParse(url) && new URL(url).host !== location.host
}
