import { Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { addSubscriber } from '../../../server/subscribers/contract.ts'
import { call } from '../../api.ts'
import { newestMailPath } from '../../relays/outbox/mail-path.ts'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { fromPreFlight } from '../../shell/way-back.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { type PreFlightReport, preFlightQuery } from '../queries.ts'
import classes from './send.module.css'

interface Props {
  check: PreFlightReport
  publicationId: string
}

/** How a newsletter without subscribers gets its first one: the member who writes it, or whoever opens the subscribe page. */
export function FirstReader({ check, publicationId }: Props) {
  const { t } = useTranslation()
  const { name, may, mayMail, urls } = useNewsletter()
  const user = useUser()
  const subscribe = useSubscribeMyself(check, publicationId)
  const { pathname } = useLocation()
  const isWaiting = check.audience.pending > 0
  return (
    <div className={classes.firstReader}>
      {isWaiting && check.mailIsCaught && (
        <Button
          component={Link}
          size="xs"
          variant="filled"
          color="encre"
          to={newestMailPath(name)}
          state={fromPreFlight(pathname)}
        >
          {t('publish.firstReader.read')}
        </Button>
      )}
      {!isWaiting && mayMail && !user.anonymous && may('subscribers.write') && (
        <Button
          size="xs"
          variant="filled"
          color="encre"
          loading={subscribe.isPending}
          onClick={() => subscribe.mutate(user.email)}
        >
          {t('publish.firstReader.myself')}
        </Button>
      )}
      <CopyField
        value={urls.subscribe}
        shown={
          <Anchor href={urls.subscribe} target="_blank" rel="noopener" inherit>
            {t('publish.firstReader.page')}
          </Anchor>
        }
      />
      <ErrorNotice error={subscribe.error} />
    </div>
  )
}

/** Where the mail that asks for a confirmation is caught, it is what its reader wants next. */
function useSubscribeMyself({ mailIsCaught }: PreFlightReport, publicationId: string) {
  const { id: newsletterId, name } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return useMutation({
    mutationFn: (email: string) => call(addSubscriber, { params: { newsletterId }, body: { email } }),
    onSuccess: () =>
      mailIsCaught
        ? navigate(newestMailPath(name), { state: fromPreFlight(pathname) })
        : queries.invalidateQueries(preFlightQuery(newsletterId, publicationId)),
  })
}
