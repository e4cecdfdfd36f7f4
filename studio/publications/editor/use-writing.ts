import { useEditor } from '@tiptap/react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicationDocument } from '../../../server/publications/document/schema.ts'
import './text.css'
import { ChosenWords } from './chosen-words.ts'
import { extensionsFor } from './node-views.ts'
import { cleanPasted } from './paste.ts'
import { Shortcuts } from './shortcuts.ts'
import { Uploading, type Uploads } from './upload.ts'

interface Writing {
  content: PublicationDocument
  language: string
  editable: boolean
  uploads: Uploads
  changed: (content: PublicationDocument) => void
  link: () => void
  save: () => void
}

/** The editor of one publication's text. */
export function useWriting(writing: Writing) {
  const { t } = useTranslation()
  const latest = useRef(writing)
  latest.current = writing
  return useEditor({
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editable: writing.editable,
    extensions: [
      ...extensionsFor({
        noDescription: t('publish.tool.noAlt'),
        video: t('publish.node.video'),
        button: t('publish.node.button'),
      }),
      Uploading.configure(writing.uploads),
      ChosenWords,
      Shortcuts.configure({
        link: () => latest.current.link(),
        save: () => latest.current.save(),
        toolbar: () => document.querySelector<HTMLElement>('#formatting [data-tool][tabindex="0"]')?.focus(),
      }),
    ],
    content: writing.content,
    editorProps: {
      transformPastedHTML: cleanPasted,
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('publish.editor.text'),
        lang: writing.language,
        spellcheck: 'true',
      },
    },
    onUpdate: ({ editor }) => latest.current.changed(editor.getJSON() as PublicationDocument),
  })
}
