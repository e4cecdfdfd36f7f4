import { Button, Center } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { isNowhere, Nowhere } from '../../ui/query-content.tsx'
import { usePublicationActions } from '../use-publication-actions.tsx'
import { isDeleted } from './saving/save-status.tsx'

interface Props {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  publicationId: string
}

/** The whole page where a publication cannot be opened: why, and the ways on. */
export function NoPublication({ query: { error, refetch }, publicationId }: Props) {
  const { t } = useTranslation()
  const isGone = isDeleted(error) || isNowhere(error)
  useEffect(() => {
    document.title = isGone ? `${t('shell.notFound')} · Tirage` : 'Tirage'
  }, [isGone, t])
  return (
    <Center component="main" h="100dvh" p="lg">
      {isDeleted(error) ? (
        <Deleted publicationId={publicationId} />
      ) : isNowhere(error) ? (
        <Nowhere list={{ to: studioPaths.publish, label: t('shell.nav.publish') }} />
      ) : (
        <div>
          <ErrorNotice error={error} retry={refetch} />
          <Link to={studioPaths.publish}>{t('publish.editor.back')}</Link>
        </div>
      )}
    </Center>
  )
}

/** In place of a publication that was deleted. */
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
    <EmptyState isPage title={t('publish.deleted.open')} action={ways}>
      {t('publish.deleted.openHow')}
    </EmptyState>
  )
}
