import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Loading } from '../../ui/loading.tsx'
import { addressFor } from '../publication-address.ts'
import { livePublicationQuery, publicationQuery } from '../queries.ts'
import classes from './editor.module.css'
import { PublicationEditor } from './editor.tsx'
import { NoPublication } from './no-publication.tsx'

/**
 * Opens a publication in the editor once the server was asked for its newest version. Where it does not answer, the one on this device is written
 * on, and saving tells apart what was changed meanwhile. What is about to leave is not written on: its results say for how
 * long it can be taken back.
 */
export function EditorPage() {
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const publication = useQuery(publicationQuery(newsletter.id, publicationId))
  const isScheduled = publication.data?.status === 'scheduled'
  // It leaves at its hour, also while somebody writes.
  const standing = useQuery({
    ...livePublicationQuery(newsletter.id, publicationId),
    enabled: isScheduled,
    refetchOnMount: 'always',
  })
  if (publication.data && publication.isFetchedAfterMount) {
    const { status, scheduledAt, publishedAt, takeBackSeconds, number, stoppedBy } =
      isScheduled && standing.data && standing.isFetchedAfterMount ? standing.data : publication.data
    const opened = { ...publication.data, status, scheduledAt, publishedAt, takeBackSeconds, number, stoppedBy }
    if (takeBackSeconds !== null) return <Navigate to={addressFor(opened)} replace />
    return <PublicationEditor key={publicationId} opened={opened} />
  }
  if (publication.isError) return <NoPublication query={publication} publicationId={publicationId} />
  return (
    <main className={classes.loading}>
      <Loading lines={8} />
    </main>
  )
}
