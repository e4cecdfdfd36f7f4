import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { makeSample, sendTest } from '../../server/publications/contract.ts'
import { call } from '../api.ts'
import { mailPath } from '../relays/outbox/mail-path.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { NoticeLink } from '../ui/notice-link.tsx'
import { showOnPage } from '../ui/page-notice.ts'
import { readerOf } from './editor/readers.ts'

/** Sends the saved version to the signed-in member, as a reader. The answer stays until it is closed or its page is left, and leads to the mail where it was caught. */
export function useTestMail() {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return async (publicationId: string, { reader, isUntitled }: { reader: string; isUntitled: boolean }) => {
    const { to, mailId } = await call(sendTest, {
      params: { newsletterId, publicationId },
      body: { reader: readerOf(reader) },
    })
    const notice = `test-${publicationId}`
    notifications.hide(notice)
    showOnPage(pathname, {
      id: notice,
      title: mailId ? t('publish.test.ready') : t('publish.test.sent', { to: to.join(', ') }),
      message: (
        <>
          {isUntitled && <p>{t('publish.test.untitled')}</p>}
          {mailId ? (
            <NoticeLink notice={notice} to={mailPath(mailId)} navigate={navigate}>
              {t('publish.test.caught')}
            </NoticeLink>
          ) : (
            t('publish.test.look')
          )}
        </>
      ),
    })
  }
}

const SAMPLE_NOTICE_MS = 4000

/** Sends the sample letter of the newsletter to the signed-in member, and opens it where it was caught. */
export function useSample() {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const queries = useQueryClient()
  const showError = useErrorToast()
  return useMutation({
    mutationFn: async () => {
      const { id: publicationId } = await call(makeSample, { params: { newsletterId } })
      return call(sendTest, { params: { newsletterId, publicationId }, body: {} })
    },
    onSuccess: ({ to, mailId }) => {
      if (mailId) {
        // It goes by itself: the mail lies below it, and the next step is at the top of the page.
        showOnPage(studioPaths.outbox, { id: 'sample', message: t('sample.arrived'), autoClose: SAMPLE_NOTICE_MS })
        return navigate(mailPath(mailId))
      }
      const title = t('publish.test.sent', { to: to.join(', ') })
      showOnPage(pathname, { id: 'sample', title, message: t('publish.test.look') })
    },
    onError: showError,
    onSettled: () =>
      Promise.all(
        ['publications', 'dashboard'].map((kind) => queries.invalidateQueries({ queryKey: [newsletterId, kind] })),
      ),
  })
}
