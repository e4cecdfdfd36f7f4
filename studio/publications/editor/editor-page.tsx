import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Loading } from '../../ui/loading.tsx'
import { publicationQuery } from '../queries.ts'
import classes from './editor.module.css'
import { PublicationEditor } from './editor.tsx'
import { NoPublication } from './no-publication.tsx'

/** Opens a publication in the editor once the server's newest version is loaded. */
export function EditorPage() {
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const publication = useQuery(publicationQuery(newsletter.id, publicationId))
  if (publication.data && publication.isFetchedAfterMount) {
    return <PublicationEditor key={publicationId} opened={publication.data} />
  }
  if (publication.isError) return <NoPublication query={publication} publicationId={publicationId} />
  return (
    <main className={classes.loading}>
      <Loading lines={8} />
    </main>
  )
}
