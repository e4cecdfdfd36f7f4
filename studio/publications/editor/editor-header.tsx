import { Button } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readingMinutes, wordCount } from '../../../server/publications/document/document-text.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconAdjustmentsHorizontal, IconArrowRight, IconEye, IconHistory } from '../../ui/icons.ts'
import type { Publication } from '../queries.ts'
import { usePublicationActions } from '../use-publication-actions.tsx'
import type { Draft } from './draft.ts'
import { HeaderAction } from './header-action.tsx'
import classes from './publication-header.module.css'
import { PublicationHeader } from './publication-header.tsx'
import type { SaveState } from './saving/autosave.ts'
import { SaveStatus } from './saving/save-status.tsx'
import { TestMailButton } from './test-mail-button.tsx'

interface Props {
  publication: Publication
  draft: Draft
  state: SaveState
  save: () => Promise<void>
  isSaved: () => boolean
  preview: boolean
  togglePreview: () => void
  open: (drawer: 'history' | 'details') => void
  next: () => void
}

/** The header of the editor: length, details, history, preview, test mail, and the button to the send page. */
export function EditorHeader(props: Props) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const mayEdit = may('publications.write')
  const open = ['draft', 'scheduled'].includes(props.publication.status)
  return (
    <PublicationHeader
      publication={props.publication}
      title={props.draft.title}
      page={t('publish.menu.edit')}
      isHeading
      status={mayEdit && <SaveStatus state={props.state} />}
      besideTime={may('publications.send') && <TakeBackButton publicationId={props.publication.id} />}
    >
      <Length draft={props.draft} />
      {mayEdit && (
        <HeaderAction
          label={t('editor.details.title')}
          shortLabel={t('editor.details.title')}
          icon={<IconAdjustmentsHorizontal size={15} stroke={1.6} />}
          onClick={() => props.open('details')}
        />
      )}
      <HeaderAction
        label={t('editor.history.title')}
        icon={<IconHistory size={15} stroke={1.6} />}
        onClick={() => props.open('history')}
      />
      <HeaderAction
        label={t('publish.preview.title')}
        icon={<IconEye size={15} stroke={1.6} />}
        onClick={props.togglePreview}
        pressed={props.preview}
      />
      {mayEdit && (
        <>
          <i className={classes.separator} />
          <TestMailButton
            publication={props.publication}
            title={props.draft.title}
            content={props.draft.content}
            save={() => props.save().then(props.isSaved)}
          />
        </>
      )}
      {mayEdit && open && (
        <Button
          size="xs"
          variant="filled"
          color="encre"
          rightSection={<IconArrowRight size={14} stroke={1.6} aria-hidden="true" />}
          onClick={props.next}
        >
          {t('publish.editor.preflight')}
        </Button>
      )}
    </PublicationHeader>
  )
}

function TakeBackButton({ publicationId }: { publicationId: string }) {
  const { t } = useTranslation()
  const { takeBack } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await takeBack(publicationId)
    setBusy(false)
  }
  return (
    <Button size="compact-xs" variant="subtle" loading={busy} onClick={() => void press()}>
      {t('publish.takeBack.button')}
    </Button>
  )
}

function Length({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const format = useFormat()
  const content = useDeferredValue(draft.content)
  const [words, minutes] = useMemo(() => [wordCount(content), readingMinutes(content)], [content])
  return (
    <span className={classes.length}>
      {t('publish.editor.words', { count: words, n: format.number(words) })}
      {words > 0 && `, ${t('publish.editor.minutes', { n: minutes })}`}
    </span>
  )
}
