import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams } from 'react-router'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import { previewPublication } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { useFocusOnArrival } from '../../ui/focus-place.ts'
import { Loading } from '../../ui/loading.tsx'
import { NewsletterInitial } from '../../ui/logo.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { documentOf } from '../editor/draft.ts'
import { NoPublication } from '../editor/no-publication.tsx'
import { PreviewFrame } from '../editor/preview/preview-frame.tsx'
import { PublicationHeader } from '../editor/publication-header.tsx'
import { ReaderField } from '../editor/reader-field.tsx'
import { readerOf } from '../editor/readers.ts'
import { TestMailButton } from '../editor/test-mail-button.tsx'
import { type Publication, publicationQuery } from '../queries.ts'
import { PreFlight } from './pre-flight.tsx'
import classes from './send.module.css'

/** The page before sending: a proof of the mail on the left, the pre-flight checks and the time on the right. */
export function SendPage() {
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const publication = useQuery(publicationQuery(newsletter.id, publicationId))
  if (publication.isLoadingError) return <NoPublication query={publication} publicationId={publicationId} />
  return (
    <QueryContent query={publication}>
      {(data) => <SendScreen publication={data} isFresh={publication.isFetchedAfterMount} />}
    </QueryContent>
  )
}

/** @param props.isFresh whether the server was asked for it after this page was opened */
function SendScreen({ publication, isFresh }: { publication: Publication; isFresh: boolean }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  useFocusOnArrival()
  // Now, as long as this page is open: each moment would be asked for anew.
  const [opened] = useState(() => new Date().toISOString())
  const [at, setAt] = useState(publication.scheduledAt ?? opened)
  const open = ['draft', 'scheduled'].includes(publication.status) && publication.takeBackSeconds === null
  if (!may('publications.send') || (!open && isFresh)) return <Navigate to={`/publish/${publication.id}`} replace />
  if (!open) return <Loading />
  return (
    <div className={classes.page}>
      <PublicationHeader publication={publication} title={publication.title} page={t('publish.send.title')}>
        <Button component={Link} to={`/publish/create/${publication.id}`} size="xs" variant="subtle" color="gray">
          {t('publish.send.back')}
        </Button>
        <TestMailButton publication={publication} title={publication.title} content={documentOf(publication.content)} />
      </PublicationHeader>
      <main id="main" tabIndex={-1} className={classes.columns}>
        <section className={classes.proof} aria-label={t('publish.send.proof')}>
          <EmailProof publication={publication} at={at} />
        </section>
        <PreFlight publication={publication} opened={opened} setTime={setAt} />
      </main>
    </div>
  )
}

/**
 * The mail as it arrives. Where readers see different parts it begins with who does not pay, because what is withheld shows nowhere else.
 *
 * @param props.at when it would go out, as an ISO 8601 instant
 */
function EmailProof({ publication, at }: { publication: Publication; at: string }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [when] = useDebouncedValue(at, 500)
  const [reader, setReader] = useState('free')
  const preview = useQuery({
    queryKey: [newsletter.id, 'publication', publication.id, 'proof', publication.revision, when, reader],
    queryFn: () =>
      call(previewPublication, {
        params: { newsletterId: newsletter.id, publicationId: publication.id },
        body: { reader: readerOf(reader), at: when },
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryContent query={preview}>
      {({ email, from, subject, preheader, isGated }) => (
        <>
          {isGated && <ReaderField value={reader} onChange={setReader} />}
          <div className={classes.inbox}>
            <p>{t('publish.send.inbox')}</p>
            <div className={classes.inboxRow}>
              <NewsletterInitial name={newsletter.name} accent={newsletter.accent} size={34} />
              <div>
                <b>{from.replace(/\s*<[^<]*>$/, '')}</b>
                <span data-subject="">{subject || holdMarks(publication.title)}</span>
                <span>{preheader}</span>
              </div>
            </div>
          </div>
          <div className={classes.cropMarks}>
            <i data-corner="tl" />
            <i data-corner="tr" />
            <i data-corner="bl" />
            <i data-corner="br" />
            <div className={classes.email}>
              <PreviewFrame html={email} dark={false} title={t('publish.send.proof')} className={classes.frame} />
            </div>
          </div>
        </>
      )}
    </QueryContent>
  )
}
