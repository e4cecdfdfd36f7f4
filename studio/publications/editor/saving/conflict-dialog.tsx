import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createPublication, getPublication } from '../../../../server/publications/contract.ts'
import { call } from '../../../api.ts'
import { useFormat } from '../../../format.ts'
import { useUser } from '../../../shell/client.tsx'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { NoticeLink } from '../../../ui/notice-link.tsx'
import { QueryContent } from '../../../ui/query-content.tsx'
import { shownTitle } from '../../../ui/shown-title.ts'
import type { Publication } from '../../queries.ts'
import { bodyOf, type Draft, draftOf } from '../draft.ts'
import formClasses from '../form.module.css'
import { ReadOnlyDraft } from '../read-only-draft.tsx'
import classes from './conflict-dialog.module.css'

interface Props {
  publicationId: string
  mine: Draft
  keepMine: (theirRevision: number) => void
  takeTheirs: (theirs: Publication) => void
}

/** Shows two versions of a publication side by side. Nothing is overwritten until the writer chooses one. */
export function ConflictDialog({ publicationId, mine, keepMine, takeTheirs }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const params = { newsletterId: newsletter.id, publicationId }
  const theirs = useQuery({
    queryKey: [newsletter.id, 'publication', publicationId, 'theirs'],
    queryFn: () => call(getPublication, { params }),
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <Dialog
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('editor.conflict.title')}
      size="min(1100px, 96vw)"
    >
      <QueryContent query={theirs}>
        {(data) => (
          <>
            <p className={formClasses.hint}>
              <WhoSaved publication={data} /> {t('editor.conflict.text')}
            </p>
            <Versions mine={mine} theirs={data} keepMine={keepMine} takeTheirs={takeTheirs} />
          </>
        )}
      </QueryContent>
    </Dialog>
  )
}

function WhoSaved({ publication: { savedBy, editedAt } }: { publication: Publication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { uid } = useUser()
  const isToday = format.dayOfYear(editedAt) === format.dayOfYear(new Date())
  const when = isToday
    ? t('editor.conflict.today', { time: format.time(editedAt) })
    : t('editor.conflict.earlier', { moment: format.moment(editedAt) })
  if (savedBy === null) return t('editor.conflict.by.nobody')
  if (savedBy.kind === 'key')
    return savedBy.name === null
      ? t('editor.conflict.by.endedKey', { when })
      : t('editor.conflict.by.key', { name: savedBy.name, when })
  return savedBy.userId === uid
    ? t('editor.conflict.by.you', { when })
    : t('editor.conflict.by.person', { name: savedBy.name, when })
}

type ChoiceProps = Omit<Props, 'publicationId'> & { theirs: Publication }

function Versions({ mine, theirs, keepMine, takeTheirs }: ChoiceProps) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const copyMine = async () => {
    setBusy(true)
    const title = t('editor.conflict.copyTitle', { title: shownTitle(mine.title, t) })
    await call(createPublication, {
      params: { newsletterId: newsletter.id },
      body: { ...bodyOf(mine), title, language: theirs.language },
    }).then((copy) => {
      const notice = `copy-${copy.id}`
      notifications.show({
        id: notice,
        title: t('editor.conflict.copied'),
        message: (
          <NoticeLink notice={notice} to={`/publish/create/${copy.id}`} navigate={navigate}>
            {t('editor.conflict.openCopy')}
          </NoticeLink>
        ),
      })
      takeTheirs(theirs)
    }, setError)
    setBusy(false)
  }
  return (
    <>
      <div className={classes.sideBySide}>
        <section aria-label={t('editor.conflict.mine')}>
          <h3>{t('editor.conflict.mine')}</h3>
          <ReadOnlyDraft draft={mine} className={classes.draft} />
          <Button variant="filled" color="encre" onClick={() => keepMine(theirs.revision)}>
            {t('editor.conflict.keepMine')}
          </Button>
          <Button loading={busy} onClick={() => void copyMine()}>
            {t('editor.conflict.copyMine')}
          </Button>
        </section>
        <section aria-label={t('editor.conflict.theirs')}>
          <h3>{t('editor.conflict.theirs')}</h3>
          <ReadOnlyDraft draft={draftOf(theirs)} className={classes.draft} />
          <Button onClick={() => takeTheirs(theirs)}>{t('editor.conflict.takeTheirs')}</Button>
        </section>
      </div>
      <ErrorNotice error={error} />
    </>
  )
}
