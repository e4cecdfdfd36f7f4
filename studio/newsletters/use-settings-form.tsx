import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import { type NewsletterSettings, updateNewsletter } from '../../server/newsletters/contract.ts'
import type { Permission } from '../../server/permissions.ts'
import { call } from '../api.ts'
import { showNewsletter, useNewsletter } from '../shell/newsletter.tsx'
import { wayBack } from '../shell/way-back.ts'
import { NoticeLink } from '../ui/notice-link.tsx'
import { showOnPage } from '../ui/page-notice.ts'
import { useServerForm } from '../ui/server-form.ts'

export type Settings = z.infer<typeof NewsletterSettings>

/** The notice that leads back to the steps after one was saved. What is saved next takes its place. */
const SAVED_STEP = 'saved-step'

/** A form over some of the open newsletter's settings. Empty optional fields are sent as null. Whoever came from the steps of the dashboard or from a pre-flight is led back. */
export function useSettingsForm<K extends keyof Settings>(
  fields: readonly K[],
  optional: readonly K[] = [],
  permission: Permission = 'newsletter.write',
) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const { state, pathname } = useLocation()
  const back = wayBack(state)
  const initialValues = Object.fromEntries(fields.map((field) => [field, newsletter[field] ?? ''])) as Shown<K>
  const settings = useServerForm<Shown<K>>({ initialValues }, async (values) => {
    notifications.hide(SAVED_STEP)
    const body = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        value === '' && optional.some((name) => name === field) ? null : value,
      ]),
    )
    const changed = await call(updateNewsletter, { params: { newsletterId: newsletter.id }, body })
    showNewsletter(queries, changed)
    // The steps are on the dashboard and beside other pages.
    void queries.invalidateQueries({ queryKey: [newsletter.id, 'dashboard'] })
    if (!back) return void notifications.show({ message: t('ui.saved') })
    showOnPage(pathname, {
      id: SAVED_STEP,
      title: t('ui.saved'),
      message: (
        <NoticeLink notice={SAVED_STEP} to={back.to} navigate={navigate}>
          {t(back.label)}
        </NoticeLink>
      ),
    })
  })
  return { ...settings, mayChange: newsletter.may(permission) }
}

type Shown<K extends keyof Settings> = { [key in K]: NonNullable<Settings[key]> | '' }
