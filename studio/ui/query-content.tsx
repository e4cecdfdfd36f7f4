import { Anchor, Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ApiError } from '../api.ts'
import { useNewsletterChoice } from '../shell/newsletter.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Loading } from './loading.tsx'
import { NameOfPage } from './page-title.tsx'

interface Props<T> {
  query: UseQueryResult<T>
  loading?: ReactNode
  /** The page with all of its kind: where whoever looks for one that is not there goes on. */
  list?: { to: string; label: string }
  children: (data: T) => ReactNode
}

/** The data of a query, or placeholder lines while it loads. An error is shown above the data known before. */
export function QueryContent<T>({ query, loading, list, children }: Props<T>) {
  if (query.isPending) return loading ?? <Loading />
  if (list && query.data === undefined && isNowhere(query.error)) return <Nowhere list={list} />
  return (
    <>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.data !== undefined && children(query.data)}
    </>
  )
}

export const isNowhere = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** An address is of one newsletter, and another one of the reader's may be open: that one is offered too. */
export function Nowhere({ list: { to, label } }: { list: NonNullable<Props<unknown>['list']> }) {
  const { t } = useTranslation()
  const setName = useContext(NameOfPage)
  useEffect(() => {
    setName(t('shell.notFound'))
    return () => setName(null)
  }, [setName, t])
  const { newsletter, newsletters, choose } = useNewsletterChoice()
  const others = newsletters.filter(({ id }) => id !== newsletter.id)
  const ways = (
    <>
      <Anchor component={Link} to={to}>
        {label}
      </Anchor>
      {others.length > 0 && <p>{t('shell.elsewhere', { newsletter: newsletter.name })}</p>}
      {others.map(({ id, name }) => (
        <Button key={id} size="xs" m={4} onClick={() => choose(id)}>
          {t('shell.lookIn', { newsletter: name })}
        </Button>
      ))}
    </>
  )
  return (
    <EmptyState isPage title={t('shell.notFound')} action={ways}>
      {t('shell.notFoundText')}
    </EmptyState>
  )
}
