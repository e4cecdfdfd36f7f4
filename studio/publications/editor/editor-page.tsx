import { Center } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { isNowhere, Nowhere } from '../../ui/query-content.tsx'
import { publicationQuery } from '../queries.ts'
import classes from './editor.module.css'
import { PublicationEditor } from './editor.tsx'

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
        {isNowhere(publication.error) ? (
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
