import { Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addSubscriber } from '../../../server/subscribers/contract.ts'
import { call } from '../../api.ts'
import { newestMailPath } from '../../relays/outbox/mail-path.ts'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
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
  const { name, may, urls } = useNewsletter()
  const user = useUser()
  const subscribe = useSubscribeMyself(publicationId)
  const isWaiting = check.audience.pending > 0
  const mail = useRef<HTMLAnchorElement>(null)
  // The button that was pressed is gone.
  useEffect(() => {
    if (subscribe.isSuccess && isWaiting) mail.current?.focus()
  }, [subscribe.isSuccess, isWaiting])
  return (
    <div className={classes.firstReader}>
      {isWaiting && check.mailIsCaught && (
        <Button component={Link} ref={mail} size="xs" variant="filled" color="encre" to={newestMailPath(name)}>
          {t('publish.firstReader.read')}
        </Button>
      )}
      {!isWaiting && !user.anonymous && may('subscribers.write') && (
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

function useSubscribeMyself(publicationId: string) {
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call(addSubscriber, { params: { newsletterId }, body: { email } }),
    onSuccess: () => queries.invalidateQueries(preFlightQuery(newsletterId, publicationId)),
  })
}
