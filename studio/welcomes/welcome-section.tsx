import { Button, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MAX_DELAY_DAYS, setWelcome } from '../../server/welcomes/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { shownTitle } from '../ui/shown-title.ts'
import { choosableQuery, type Welcome, welcomesQuery } from './queries.ts'
import { WelcomeState } from './welcome-state.tsx'
import classes from './welcomes.module.css'

/** The publication that everybody gets who confirms, or who joins a segment. `segmentId` is null for the newsletter itself. */
export function WelcomeSection({ segmentId }: { segmentId: number | null }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const welcomes = useQuery(welcomesQuery(id))
  return (
    <Section title={t('welcomes.title')} lead={t(segmentId === null ? 'welcomes.ofNewsletter' : 'welcomes.ofSegment')}>
      <QueryContent query={welcomes}>
        {(all) => {
          const welcome = all.find(({ segment }) => (segment?.id ?? null) === segmentId) ?? null
          return (
            <>
              {welcome && <WelcomeState welcome={welcome} />}
              <Choice key={`${welcome?.id} ${welcome?.publication.id}`} segmentId={segmentId} welcome={welcome} />
            </>
          )
        }}
      </QueryContent>
    </Section>
  )
}

function Choice({ segmentId, welcome }: { segmentId: number | null; welcome: Welcome | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const publications = usePublications(welcome)
  const initialValues = { publicationId: welcome?.publication.id ?? '', delayDays: String(welcome?.delayDays ?? 0) }
  const { form, error, busy, isUnsaved, submit } = useServerForm(
    { initialValues },
    async ({ publicationId, delayDays }) => {
      const body = { segmentId, publicationId, delayDays: Number(delayDays), paused: welcome?.paused ?? false }
      const { publication } = await call(setWelcome, { params: { newsletterId: id }, body })
      await queries.invalidateQueries({ queryKey: welcomesQuery(id).queryKey })
      notifications.show({
        message: t('welcomes.set', { title: shownTitle(publication.title, t) }),
      })
    },
  )
  const waiting = welcome ? welcome.counts.waiting - welcome.earlier.waiting : 0
  const isAnother = welcome !== null && form.getValues().publicationId !== welcome.publication.id
  return (
    <form onSubmit={submit} noValidate data-unsaved={isUnsaved || undefined}>
      <fieldset disabled={!may('publications.send')} className={classes.fields}>
        <Select
          label={t('welcomes.publication')}
          description={t('welcomes.publicationHint')}
          placeholder={t('welcomes.choose')}
          nothingFoundMessage={t('welcomes.nothing')}
          searchable
          allowDeselect={false}
          data={publications}
          {...form.getInputProps('publicationId')}
        />
        <Select
          label={t('welcomes.delay')}
          allowDeselect={false}
          data={Array.from({ length: MAX_DELAY_DAYS + 1 }, (_, days) => ({
            value: String(days),
            label: days === 0 ? t('welcomes.atOnce') : t('welcomes.days', { count: days, n: format.number(days) }),
          }))}
          {...form.getInputProps('delayDays')}
        />
      </fieldset>
      {isAnother && waiting > 0 && (
        <p className={classes.lead} role="status">
          {t('welcomes.stillGet', {
            ...{ count: waiting, n: format.number(waiting) },
            title: shownTitle(welcome.publication.title, t),
          })}
        </p>
      )}
      <ErrorNotice error={error} />
      {may('publications.send') && (
        <Button
          mt="lg"
          type="submit"
          variant="filled"
          color="encre"
          loading={busy}
          disabled={!form.getValues().publicationId || !form.isDirty()}
        >
          {t(welcome ? 'welcomes.change' : 'welcomes.start')}
        </Button>
      )}
    </form>
  )
}

/** The choices; that of the welcome is among them also when it is older than those that are listed. */
function usePublications(welcome: Welcome | null) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data: newest = [] } = useQuery(choosableQuery(id))
  const chosen = welcome && !newest.some((one) => one.id === welcome.publication.id) ? [welcome.publication] : []
  return [...chosen, ...newest].map(({ id: value, title }) => ({
    value,
    label: shownTitle(title, t),
  }))
}
