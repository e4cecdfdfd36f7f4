import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deviceOf } from '../../server/http/device.ts'
import { endOtherSessions, endSession, listSessions } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './identity.module.css'

/** The sessions of this user, with a button to end each. */
export function SessionsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const methodText = useMethodText()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: async () => (await call(listSessions, {})).sessions })
  const end = useMutation({
    mutationFn: (sessionId: string | 'others') =>
      sessionId === 'others' ? call(endOtherSessions, {}) : call(endSession, { params: { sessionId } }),
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
                    {begun(
                      [
                        ...(session.here ? [t('identity.profile.thisDevice')] : []),
                        t('identity.profile.since', { date: format.dayOfYear(session.createdAt) }),
                        ...(session.method ? [methodText(session.method)] : []),
                      ].join(', '),
                    )}
                  </small>
                </span>
                {!session.here && (
                  <Button size="xs" onClick={() => end.mutate(session.id)}>
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

const begun = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const ownMethods = ['password', 'link', 'passkey', 'guest'] as const

/** Returns the words for how a session began: our own methods, or the name of a provider. */
function useMethodText(): (method: string) => string {
  const { t } = useTranslation()
  const { data } = useQuery(signInOptionsQuery)
  return (method) => {
    const own = ownMethods.find((each) => each === method)
    if (own) return t(`identity.profile.methods.${own}`)
    const name = data?.providers.find(({ id }) => id === method)?.name ?? method
    return t('identity.profile.methods.provider', { name })
  }
}
