import { useEditor } from '@tiptap/react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../../server/languages.ts'
import type { PublicationDocument } from '../../../../server/publications/document/schema.ts'
import './text.css'
import { editorExtensions, viewSentences } from '../blocks/block-views.ts'
import { ImageUpload, type ImageUploadOptions } from '../blocks/image-upload.ts'
import { PastedImages, type PastedImagesOptions, withoutPending } from '../blocks/pasted-images.ts'
import { documentOf } from '../draft.ts'
import { SlashCommand } from '../slash/slash.ts'
import { BelowSelected } from './below-selected.ts'
import { Corrections } from './corrections.ts'
import { FocusAtOnce } from './focus-at-once.ts'
import { HeldSpaces } from './held-spaces.ts'
import { KeptSelection } from './kept-selection.ts'
import { cleanPasted } from './paste.ts'
import { SelectionAtOnce } from './selection-at-once.ts'
import { Shortcuts } from './shortcuts.ts'

interface TextEditorOptions {
  content: PublicationDocument
  language: Language
  editable: boolean
  uploads: ImageUploadOptions
  pasted: PastedImagesOptions
  onChange: (content: PublicationDocument) => void
  openLinkForm: () => void
  save: () => void
}

/** The TipTap editor of one publication's text. */
export function useTextEditor(options: TextEditorOptions) {
  const { t } = useTranslation()
  const latest = useRef(options)
  latest.current = options
  return useEditor({
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editable: options.editable,
    extensions: [
      ...editorExtensions(viewSentences(t)),
      ImageUpload.configure(options.uploads),
      PastedImages.configure(options.pasted),
      KeptSelection,
      BelowSelected,
      FocusAtOnce,
      SelectionAtOnce,
      Corrections.configure({ language: () => latest.current.language }),
      HeldSpaces.configure({ language: () => latest.current.language }),
      SlashCommand.configure({ hint: t('publish.editor.hint') }),
      Shortcuts.configure({
        link: () => latest.current.openLinkForm(),
        save: () => latest.current.save(),
        toolbar: () => document.querySelector<HTMLElement>('#formatting [data-tool][tabindex="0"]')?.focus(),
      }),
    ],
    content: options.content,
    editorProps: {
      scrollThreshold: 24,
      scrollMargin: 48,
      transformPastedHTML: cleanPasted,
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('publish.editor.text'),
        lang: options.language,
        spellcheck: 'true',
      },
    },
    onUpdate: ({ editor, transaction }) => {
      // What the editor adds by itself, such as an empty line at the end when it opens, is saved with what is typed next.
      if (!transaction.docChanged) return
      latest.current.onChange(documentOf(withoutPending(editor.state, documentOf(editor.getJSON()))))
    },
  })
}
