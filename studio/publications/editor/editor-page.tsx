import { Button, Center } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { isNowhere, Nowhere } from '../../ui/query-content.tsx'
import { publicationQuery } from '../queries.ts'
import { usePublicationActions } from '../use-publication-actions.tsx'
import classes from './editor.module.css'
import { PublicationEditor } from './editor.tsx'
import { isDeleted } from './saving/save-status.tsx'

/** Opens a publication in the editor once the server's newest version is loaded. */
export function EditorPage() {
  const { t } = useTranslation()
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const publication = useQuery(publicationQuery(newsletter.id, publicationId))
  if (publication.data && publication.isFetchedAfterMount) {
    return <PublicationEditor key={publicationId} opened={publication.data} />
  }
  if (publication.isError) {
    return (
      <Center component="main" h="100dvh" p="lg">
        {isDeleted(publication.error) ? (
          <Deleted publicationId={publicationId} />
        ) : isNowhere(publication.error) ? (
          <Nowhere list={{ to: studioPaths.publish, label: t('shell.nav.publish') }} />
        ) : (
          <div>
            <ErrorNotice error={publication.error} retry={publication.refetch} />
            <Link to={studioPaths.publish}>{t('publish.editor.back')}</Link>
          </div>
        )}
      </Center>
    )
  }
  return (
    <main className={classes.loading}>
      <Loading lines={8} />
    </main>
  )
}

/** What stands in place of the editor of a publication that was deleted. */
function Deleted({ publicationId }: { publicationId: string }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { restore } = usePublicationActions()
  const ways = (
    <>
      {may('publications.write') && (
        <Button variant="filled" color="encre" onClick={() => void restore(publicationId)}>
          {t('publish.deleted.restore')}
        </Button>
      )}
      <Link to={studioPaths.publish}>{t('publish.editor.back')}</Link>
    </>
  )
  return (
    <EmptyState title={t('publish.deleted.open')} action={ways}>
      {t('publish.deleted.openHow')}
    </EmptyState>
  )
}
