import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { currencies } from '../../server/charge/money.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { deleteNewsletter, readDeletion } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { currencyName } from '../charge/words.ts'
import { useLanguage, useLanguageChoices } from '../language.ts'
import { newslettersQuery, useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { Loading } from '../ui/loading.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { fitsTimezone, timezones } from '../ui/timezones.ts'
import { dropUnsaved } from '../ui/unsaved.tsx'
import classes from './newsletters.module.css'
import { SettingsForm, SettingsPage } from './settings-page.tsx'
import { deletedNotice, useRestore } from './use-restore.ts'
import { useSettingsForm } from './use-settings-form.tsx'

/** The name, address, description, language, timezone and currency of the newsletter. */
export function GeneralPage() {
  const { t } = useTranslation()
  const languageChoices = useLanguageChoices()
  const language = useLanguage()
  const { urls, may } = useNewsletter()
  const settings = useSettingsForm(['name', 'handle', 'description', 'language', 'timezone', 'currency'], ['handle'])
  const { form } = settings
  const zones = useMemo(() => timezones(String(form.getInitialValues().timezone)), [form])
  return (
    <SettingsPage title={t('shell.settings.general')} lead={t('newsletters.general.lead')}>
      <SettingsForm form={settings}>
        <TextInput label={t('newsletters.name')} required maxLength={120} {...form.getInputProps('name')} />
        <TextInput
          label={t('newsletters.general.handle')}
          description={t('newsletters.general.handleHint', { address: urls.archive })}
          maxLength={40}
          {...form.getInputProps('handle')}
        />
        <Textarea
          label={t('newsletters.description')}
          description={t('newsletters.general.descriptionHint')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('description')}
        />
        <div className={classes.two}>
          <Select
            label={t('newsletters.language')}
            allowDeselect={false}
            data={languageChoices}
            {...form.getInputProps('language')}
          />
          <Select
            label={t('newsletters.currency')}
            allowDeselect={false}
            searchable
            data={currencies.map((value) => ({ value, label: currencyName(value, language) }))}
            {...form.getInputProps('currency')}
          />
        </div>
        <Select
          label={t('newsletters.timezone')}
          description={t('newsletters.general.timezoneHint')}
          searchable
          allowDeselect={false}
          data={zones}
          filter={({ options, search }) =>
            options.filter((zone) => 'label' in zone && fitsTimezone(zone.label, search))
          }
          {...form.getInputProps('timezone')}
        />
      </SettingsForm>
      {may('newsletter.delete') && <DeleteSection />}
    </SettingsPage>
  )
}

function DeleteSection() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asking, { open, close }] = useDisclosure(false)
  const restore = useRestore()
  const showError = useErrorToast()
  const remove = async () => {
    await call(deleteNewsletter, { params: { newsletterId: newsletter.id } })
    notifications.show({
      id: deletedNotice(newsletter.id),
      autoClose: false,
      title: t('newsletters.delete.done', { name: newsletter.name }),
      message: (
        <Button size="xs" mt="xs" onClick={() => void restore(newsletter.id).catch(showError)}>
          {t('ui.undo')}
        </Button>
      ),
    })
    await queries.invalidateQueries(newslettersQuery)
    dropUnsaved()
    await navigate(studioPaths.dashboard)
  }
  return (
    <div className={classes.danger}>
      <Section title={t('newsletters.delete.title')}>
        <p className={classes.hint}>{t('newsletters.delete.text')}</p>
        <Button c="var(--tirage-red)" onClick={open}>
          {t('newsletters.delete.title')}…
        </Button>
      </Section>
      <ConfirmDelete
        opened={asking}
        onClose={close}
        title={t('newsletters.delete.ask', { name: newsletter.name })}
        confirm={t('newsletters.delete.title')}
        typed={newsletter.name}
        onConfirm={remove}
      >
        <p>{t('newsletters.delete.text')}</p>
        {asking && <WhoIsHurt />}
      </ConfirmDelete>
    </div>
  )
}

/** Names whom the deletion would hurt. */
function WhoIsHurt() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const query = useQuery({
    queryKey: [id, 'deletion'],
    queryFn: ({ signal }) => call(readDeletion, { params: { newsletterId: id }, signal }),
    staleTime: 0,
  })
  return (
    <QueryContent query={query} loading={<Loading lines={1} row={20} />}>
      {(hurt) => (
        <ul className={classes.hurt}>
          {(['paidAhead', 'bookings', 'accepted', 'scheduled', 'campaigns'] as const)
            .filter((whom) => hurt[whom] > 0)
            .map((whom) => (
              <li key={whom}>{t(`newsletters.delete.hurt.${whom}`, { count: hurt[whom] })}</li>
            ))}
        </ul>
      )}
    </QueryContent>
  )
}
