import { Button, Group, Input, SegmentedControl, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { addSubscriber } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useLanguageChoices } from '../language.ts'
import { newestMailPath } from '../relays/outbox/mail-path.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { NoticeLink } from '../ui/notice-link.tsx'
import { showOnPage } from '../ui/page-notice.ts'
import { useServerForm } from '../ui/server-form.ts'
import classes from './subscribers.module.css'

/** Asks an address to subscribe. Nobody is added without their consent: a confirmation mail is sent. */
export function AddSubscriber({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const languageChoices = useLanguageChoices()
  const { id, language } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data: options } = useQuery(signInOptionsQuery)
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { email: '', name: '', language } },
    async ({ email, name, language }) => {
      await call(addSubscriber, { params: { newsletterId: id }, body: { email, name: name || null, language } })
      const notice = `asked-${email}`
      notifications.hide(notice)
      if (options?.mailIsCaught) {
        const read = (
          <NoticeLink notice={notice} to={newestMailPath(email)} navigate={navigate}>
            {t('subscribers.readQuestion')}
          </NoticeLink>
        )
        showOnPage(pathname, { id: notice, title: t('subscribers.askedHere', { email }), message: read })
      } else notifications.show({ message: t('subscribers.asked', { email }) })
      form.reset()
      onClose()
      await queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
    },
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={t('subscribers.add')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <p className={classes.hint}>{t('subscribers.addText')}</p>
        <TextInput
          type="email"
          label={t('subscribers.email')}
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput label={t('subscribers.name')} maxLength={120} {...form.getInputProps('name')} />
        <Input.Wrapper label={t('subscribers.language')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('subscribers.language')}
            data={languageChoices}
            {...form.getInputProps('language')}
          />
        </Input.Wrapper>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('subscribers.ask')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
