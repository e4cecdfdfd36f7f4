import { Alert, Button, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Editor } from '@tiptap/core'
import { EditorContent } from '@tiptap/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useStopReason } from '../../sending/reason-sentences.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { useFocusOnArrival } from '../../ui/focus-place.ts'
import { type ProblemPlace, problemIn } from '../problem-place.ts'
import { sendPathFor } from '../publication-address.ts'
import type { Publication } from '../queries.ts'
import { usePublicationActions } from '../use-publication-actions.tsx'
import { BlockSettings } from './blocks/block-settings.tsx'
import { useInsertChoices } from './blocks/insert-choices.ts'
import { Planning } from './blocks/planning.ts'
import { useImageOptions } from './blocks/use-image-options.tsx'
import { CoverField, ShownCover } from './cover-field.tsx'
import { DetailsDrawer } from './details-drawer.tsx'
import { bodyOf, type Draft, draftOf } from './draft.ts'
import classes from './editor.module.css'
import { EditorHeader } from './editor-header.tsx'
import { HistoryDrawer } from './history-drawer.tsx'
import { NoteBubble } from './notes/note-bubble.tsx'
import { NoteList } from './notes/note-list.tsx'
import { Preview } from './preview/preview.tsx'
import { ConflictDialog } from './saving/conflict-dialog.tsx'
import { initialDraftOf } from './saving/initial-draft.ts'
import { SaveNotice } from './saving/save-status.tsx'
import { useAutosave } from './saving/use-autosave.ts'
import { SlashMenu } from './slash/slash-menu.tsx'
import { corrected } from './text/corrected-field.ts'
import { findProblem } from './text/find-problem.ts'
import { useTextEditor } from './text/use-text-editor.ts'
import type { ToolbarForm } from './toolbar/forms.ts'
import { SelectionMenu } from './toolbar/selection-menu.tsx'
import { Toolbar } from './toolbar/toolbar.tsx'
import { useDetails } from './use-details.ts'
import { WelcomeNotice } from './welcome-notice.tsx'

/** The editor of one publication: title, subtitle and text, the toolbar above and the preview beside. */
export function PublicationEditor({ opened }: { opened: Publication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const reason = useStopReason()
  const showError = useErrorToast()
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const [initial] = useState(() => initialDraftOf(opened))
  const [draft, setDraft] = useState<Draft>(initial.draft)
  const [autosave, state] = useAutosave(newsletter.id, { ...initial, id: opened.id })
  const [notice, setNotice] = useState(initial.kind === 'restored')
  const [preview, setPreview] = useState(false)
  const [drawer, setDrawer] = useState<'history' | 'details' | null>(null)
  const [form, openForm] = useState<ToolbarForm | null>(null)
  const latest = useRef(draft)
  const saveDetails = useDetails(newsletter.id, opened.id, autosave)
  const mayEdit = newsletter.may('publications.write')
  const { restore } = usePublicationActions()

  const change = useCallback(
    (part: Partial<Draft>) => {
      latest.current = { ...latest.current, ...part }
      setDraft(latest.current)
      autosave.change(latest.current)
    },
    [autosave],
  )
  useEffect(() => {
    if (initial.kind === 'restored') autosave.change(initial.draft)
    if (initial.kind === 'conflict') autosave.startConflict(initial.draft)
  }, [autosave, initial])

  useFocusOnArrival()
  const { uploads, pasted } = useImageOptions()
  const editor = useTextEditor({
    content: initial.draft.content,
    language: opened.language,
    editable: mayEdit,
    uploads,
    pasted,
    onChange: (content) => change({ content }),
    openLinkForm: () => openForm('link'),
    save: () => void autosave.flush(),
  })
  const { state: arrived } = useLocation()
  const problem = problemIn(arrived)
  const [shown, setShown] = useState<ProblemPlace | null>(null)
  useEffect(() => {
    if (problem?.at === 'details') setDrawer('details')
    else if (problem) {
      showProblem(editor, problem)
      setShown(problem)
    }
  }, [editor, problem])
  const inserts = useInsertChoices(openForm, setShown)
  /** Replaces the whole draft. `own`: as a change to be saved; otherwise it is the server's version already. */
  const show = (version: Draft, own: boolean) => {
    latest.current = version
    setDraft(version)
    editor.commands.setContent(version.content, { emitUpdate: false })
    if (own) autosave.change(version)
  }
  /** What was typed is saved first, and stays in the history. While it cannot be saved, it stays on screen and nothing comes back. */
  const bringBack = async (version: Draft) => {
    await autosave.flush()
    if (autosave.unsaved) {
      notifications.show({ message: t('editor.history.unsaved'), color: 'rouge', role: 'alert' })
      return
    }
    const typed = latest.current
    show(version, false)
    try {
      await saveDetails({ ...bodyOf(version), restored: true })
    } catch (error) {
      show(typed, true)
      showError(error)
    }
  }
  const goTo = async (path: string) => {
    await autosave.flush()
    if (!autosave.unsaved) await navigate(path)
  }
  const mayPlan = newsletter.may('publications.send') && ['draft', 'scheduled'].includes(opened.status)
  const planFor = (day: string) => void goTo(sendPathFor(opened.id, day))
  return (
    <Planning value={{ plan: mayPlan ? planFor : null }}>
      <div className={classes.editor}>
        <EditorHeader
          publication={opened}
          draft={draft}
          state={state}
          save={() => autosave.flush()}
          isSaved={() => !autosave.unsaved}
          preview={preview}
          togglePreview={() => setPreview(!preview)}
          open={setDrawer}
          next={() => void goTo(`/publish/create/${opened.id}/send`)}
        />
        {mayEdit && (
          <section className={classes.tools} data-preview={preview || undefined} aria-label={t('editor.tool.bars')}>
            <Toolbar editor={editor} uploads={uploads} inserts={inserts} form={form} openForm={openForm} />
            <BlockSettings editor={editor} inserts={inserts} problem={shown} />
          </section>
        )}
        <SaveNotice
          state={state}
          retry={() => void autosave.flush()}
          restore={() => void restore(opened.id).then((isBack) => (isBack ? autosave.flush() : undefined))}
          show={(block) => showBlock(editor, block)}
        />
        {!mayEdit && (
          <Alert color="ocre" className={classes.notice}>
            {t('publish.editor.readOnly')}
          </Alert>
        )}
        {mayEdit && isOut(opened) && (
          <Alert color="ocre" className={classes.notice}>
            {t(`publish.editor.${outSentence(opened)}`)}
          </Alert>
        )}
        {mayEdit && opened.status === 'draft' && opened.stoppedBy && (
          <Alert color="ocre" className={classes.notice}>
            {t('publish.send.stayed')} {reason(opened.stoppedBy)}
          </Alert>
        )}
        {mayEdit && <WelcomeNotice publicationId={opened.id} />}
        {notice && initial.writtenAt && (
          <Alert color="ocre" role="status" className={classes.notice}>
            <span>{t('editor.save.restored', { when: format.moment(initial.writtenAt) })}</span>
            <Button size="xs" onClick={() => setNotice(false)}>
              {t('editor.save.keepRestored')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="rouge"
              onClick={() => {
                setNotice(false)
                show(draftOf(opened), true)
              }}
            >
              {t('editor.save.dropRestored')}
            </Button>
          </Alert>
        )}
        <div className={classes.columns} data-preview={preview || undefined}>
          <main id="main" tabIndex={-1} className={classes.main} lang={opened.language}>
            <div className={classes.page}>
              <TitleFields draft={draft} change={change} editable={mayEdit} enterText={() => focusText(editor)} />
              {mayEdit && !opened.digest && (
                <div lang={language}>
                  <CoverField publication={opened} save={saveDetails} small />
                </div>
              )}
              {!mayEdit && !opened.digest && <ShownCover of={opened} />}
              <EditorContent editor={editor} />
              {mayEdit && <SelectionMenu editor={editor} openLinkForm={() => openForm('link')} />}
              {mayEdit ? (
                <NoteBubble editor={editor} written={opened.language} />
              ) : (
                <NoteList document={draft.content} />
              )}
              {mayEdit && <SlashMenu editor={editor} groups={inserts} />}
            </div>
          </main>
          {preview && (
            <Preview
              publication={opened}
              draft={draft}
              close={() => setPreview(false)}
              openDetails={mayEdit ? () => setDrawer('details') : undefined}
            />
          )}
        </div>
        <HistoryDrawer
          publicationId={opened.id}
          opened={drawer === 'history'}
          close={() => setDrawer(null)}
          save={() => autosave.flush()}
          restore={(version) => {
            setDrawer(null)
            void bringBack(version)
          }}
        />
        {mayEdit && (
          <DetailsDrawer
            publication={opened}
            opened={drawer === 'details'}
            close={() => setDrawer(null)}
            save={saveDetails}
          />
        )}
        {state.kind === 'conflict' && (
          <ConflictDialog
            publicationId={opened.id}
            mine={draft}
            keepMine={(revision) => autosave.resolveConflict(revision, latest.current)}
            takeTheirs={(theirs) => {
              show(draftOf(theirs), false)
              autosave.resolveConflict(theirs.revision, null)
            }}
          />
        )}
      </div>
    </Planning>
  )
}

interface HeadingsProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  editable: boolean
  /** Moves from the subtitle into the text. */
  enterText: () => void
}

function TitleFields({ draft, change, editable, enterText }: HeadingsProps) {
  const { t } = useTranslation()
  const subtitle = useRef<HTMLTextAreaElement>(null)
  const onEnter = (then: () => void) => (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    then()
  }
  const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ')
  return (
    <>
      <Textarea
        variant="unstyled"
        autosize
        minRows={1}
        maxLength={300}
        readOnly={!editable}
        autoFocus={editable && draft.title === ''}
        aria-label={t('publish.editor.title')}
        placeholder={t('publish.editor.title')}
        classNames={{ input: classes.title ?? '' }}
        value={draft.title}
        onInput={corrected}
        onChange={(event) => change({ title: oneLine(event.currentTarget.value) })}
        onKeyDown={onEnter(() => subtitle.current?.focus())}
      />
      {(editable || draft.subtitle) && (
        <Textarea
          ref={subtitle}
          variant="unstyled"
          autosize
          minRows={1}
          maxLength={500}
          readOnly={!editable}
          aria-label={t('publish.editor.subtitle')}
          placeholder={t('publish.editor.subtitlePlaceholder')}
          classNames={{ input: classes.subtitle ?? '' }}
          value={draft.subtitle}
          onInput={corrected}
          onChange={(event) => change({ subtitle: oneLine(event.currentTarget.value) })}
          onKeyDown={onEnter(enterText)}
        />
      )}
    </>
  )
}

/** Puts the caret before the first letter at once, so that the next key goes into the text. */
function focusText(editor: Editor): void {
  editor.commands.setTextSelection(0)
  editor.view.focus()
}

/** Whether its page is on the web. */
/** What a change of what is out leads to. */
function outSentence({ digest, offWebAt, channel }: Publication) {
  if (digest) return 'isDigest'
  if (channel === 'web') return offWebAt ? 'isOffOnWeb' : 'isOutOnWeb'
  return offWebAt ? 'isOff' : 'isOut'
}

const isOut = ({ status }: Publication): boolean => status === 'sending' || status === 'paused' || status === 'sent'

/** Selects what a pre-flight found, and scrolls to it. */
function showProblem(editor: Editor, problem: ProblemPlace): void {
  const found = findProblem(editor.state.doc, problem)
  if (!found) return
  editor.view.dispatch(editor.state.tr.setSelection(found))
  editor.view.focus()
  // A text without the focus does not scroll.
  editor.view.dispatch(editor.state.tr.scrollIntoView())
}

/** Puts the caret into a block and scrolls to it. Blocks are counted from 1. */
function showBlock(editor: Editor, block: number): void {
  let position = 0
  for (let index = 0; index < Math.min(block - 1, editor.state.doc.childCount); index += 1) {
    position += editor.state.doc.child(index).nodeSize
  }
  editor
    .chain()
    .focus(Math.min(position + 1, editor.state.doc.content.size))
    .scrollIntoView()
    .run()
}
