import { Button, NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getRevision } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { revisionsQuery } from '../queries.ts'
import { type Draft, documentOf } from './draft.ts'
import formClasses from './form.module.css'
import classes from './history.module.css'
import { ReadOnlyDraft } from './read-only-draft.tsx'

interface Props {
  publicationId: string
  opened: boolean
  close: () => void
  /** Saves what was typed, which is the newest version then. */
  save: () => Promise<void>
  restore: (draft: Draft) => void
}

/** The saved versions, to read and to restore. Restoring one saves a new version, and keeps the one before it. */
export function HistoryDrawer({ publicationId, opened, close, save, restore }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer opened={opened} onClose={close} title={t('editor.history.title')} size={620}>
      {opened && <Versions publicationId={publicationId} save={save} restore={restore} />}
    </Drawer>
  )
}

function Versions({ publicationId, save, restore }: Pick<Props, 'publicationId' | 'save' | 'restore'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const newsletter = useNewsletter()
  const versions = useQuery(revisionsQuery(newsletter.id, publicationId, save))
  const [chosen, setChosen] = useState<number | null>(null)
  return (
    <QueryContent query={versions}>
      {({ revisions }) => (
        <>
          {revisions.length === 0 && <p className={formClasses.hint}>{t('editor.history.none')}</p>}
          <ul className={classes.versions} aria-label={t('editor.history.title')}>
            {revisions.map(({ revision, savedAt, savedBy, words }) => (
              <li key={revision}>
                <NavLink
                  component="button"
                  active={chosen === revision}
                  aria-expanded={chosen === revision}
                  label={format.moment(savedAt)}
                  description={[savedBy, t('publish.editor.words', { count: words, n: format.number(words) })]
                    .filter(Boolean)
                    .join(', ')}
                  onClick={() => setChosen(chosen === revision ? null : revision)}
                  className={classes.version}
                />
                {chosen === revision && <Version publicationId={publicationId} revision={revision} restore={restore} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </QueryContent>
  )
}

function Version({
  publicationId,
  revision,
  restore,
}: Pick<Props, 'publicationId' | 'restore'> & { revision: number }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const params = { newsletterId: newsletter.id, publicationId, revision }
  const version = useQuery({
    queryKey: [newsletter.id, 'publication', publicationId, 'revision', revision],
    queryFn: () => call(getRevision, { params }),
  })
  return (
    <QueryContent query={version}>
      {({ title, subtitle, content }) => {
        const draft = { title, subtitle, content: documentOf(content) }
        return (
          <div className={classes.versionText}>
            <ReadOnlyDraft draft={draft} />
            <Button onClick={() => restore(draft)}>{t('editor.history.restore')}</Button>
          </div>
        )
      }}
    </QueryContent>
  )
}
