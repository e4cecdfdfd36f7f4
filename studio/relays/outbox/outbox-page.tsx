import { Anchor, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { listOutbox } from '../../../server/relays/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { wayBack } from '../../shell/way-back.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import { CaughtMail } from './caught-mail.tsx'
import classes from './outbox.module.css'

/** Mail that was caught on this machine because no relay is set: nothing here reached anybody. */
export function OutboxPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const { state } = useLocation()
  const back = wayBack(state)
  const [query, setQuery] = useSearchParams()
  const newest = query.get('newest')
  const [search, setSearch] = useState('')
  const pages = usePagedRows([id, 'outbox', search], (cursor, signal) =>
    call(listOutbox, { params: { newsletterId: id }, query: { cursor, search: search || undefined }, signal }),
  )
  const { first, rows } = pages
  const found = useQuery({
    queryKey: [id, 'outbox', 'newest', newest],
    queryFn: ({ signal }) =>
      call(listOutbox, { params: { newsletterId: id }, query: { search: newest ?? '' }, signal }),
    enabled: newest !== null,
  })
  const opened = query.get('mail') ?? (newest !== null ? (found.data?.rows[0]?.id ?? null) : null)
  return (
    <>
      <PageTitle title={t('shell.nav.outbox')} figure={first && format.number(first.kept)} />
      <Banner caught={first?.caught ?? true} isWaiting={!first} />
      {back && (
        <p className={classes.wayBack}>
          {newest !== null && t('outbox.confirmFirst')}{' '}
          <Anchor component={Link} to={back.to} inherit>
            {t(back.label)}
          </Anchor>
        </p>
      )}
      {pages.query.isError && <ErrorNotice error={pages.query.error} retry={pages.query.refetch} />}
      <div className={classes.columns} data-reading={opened !== null || undefined}>
        <div className={classes.list}>
          <SearchField label={t('outbox.search')} onSearch={setSearch} />
          {pages.query.isPending && <Loading lines={8} row={60} />}
          {first && (
            <ul>
              {rows.map((mail) => (
                <li key={mail.id}>
                  <button
                    type="button"
                    aria-current={mail.id === opened ? 'true' : undefined}
                    onClick={() => setQuery({ mail: mail.id }, { state })}
                  >
                    <b>{mail.subject || t('outbox.noSubject')}</b>
                    <span>{mail.to}</span>
                    <time dateTime={mail.at}>{format.ago(mail.at)}</time>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <MoreRows query={pages.query} />
          {first && rows.length === 0 && (
            <EmptyState title={t(first.kept > 0 ? 'outbox.noneFound' : 'outbox.empty')}>
              {t(first.kept > 0 ? 'outbox.nothingFits' : 'outbox.emptyText')}
            </EmptyState>
          )}
        </div>
        <div className={classes.reading}>
          {opened ? (
            <CaughtMail key={opened} mailId={opened} onClose={() => setQuery({}, { state })} />
          ) : (
            rows.length > 0 && <p className={classes.hint}>{t('outbox.choose')}</p>
          )}
        </div>
      </div>
    </>
  )
}

/** One line, so that the mails begin near the top on a phone as well. Its place is kept while it is not known, so that no mail moves under a finger. */
function Banner({ caught, isWaiting }: { caught: boolean; isWaiting: boolean }) {
  const { t } = useTranslation()
  if (!caught)
    return (
      <p className={classes.banner}>
        <b>{t('outbox.relayTitle')}</b> {t('outbox.relayText')}
      </p>
    )
  return (
    <details className={classes.banner} data-waiting={isWaiting || undefined}>
      <summary>
        <b>{t('outbox.caughtTitle')}</b> <u>{t('outbox.howToSend')}</u>
      </summary>
      <p>
        <Trans
          i18nKey="outbox.caughtText"
          components={{ relays: <Anchor component={Link} to="/settings/relays" inherit />, example: <Code /> }}
        />
      </p>
    </details>
  )
}
