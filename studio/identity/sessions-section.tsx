import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { auth, authResult } from './auth.ts'
import { deviceOf } from './device.ts'
import classes from './identity.module.css'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** The sessions of this user, with a button to end each. */
export function SessionsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const authErrorText = useAuthErrorText()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => {
      const [list, own] = await Promise.all([
        authResult(auth.listSessions(), authErrorText),
        authResult(auth.getSession(), authErrorText),
      ])
      return list.map((session) => ({ ...session, here: session.token === own?.session.token }))
    },
  })
  const end = useMutation({
    mutationFn: (token: string | 'others') =>
      token === 'others'
        ? authResult(auth.revokeOtherSessions(), authErrorText)
        : authResult(auth.revokeSession({ token }), authErrorText),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const others = (sessions.data?.length ?? 0) > 1
  return (
    <Section
      title={t('identity.profile.sessions')}
      aside={
        others && (
          <Button size="xs" onClick={() => end.mutate('others')} loading={end.isPending}>
            {t('identity.profile.signOutOthers')}
          </Button>
        )
      }
    >
      <QueryContent query={sessions}>
        {(list) => (
          <ul className={classes.rows}>
            {list.map((session) => (
              <li key={session.id}>
                <span>
                  {deviceOf(session.userAgent) ?? t('identity.profile.unknownDevice')}
                  <small>
                    {session.here && `${t('identity.profile.thisDevice')}, `}
                    {t('identity.profile.since', { date: format.dayOfYear(session.createdAt) })}
                  </small>
                </span>
                {!session.here && (
                  <Button size="xs" onClick={() => end.mutate(session.token)}>
                    {t('identity.profile.signOutThere')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
      <ErrorNotice error={end.error} />
    </Section>
  )
}
