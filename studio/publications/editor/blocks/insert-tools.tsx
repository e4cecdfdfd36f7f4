import { Button, FileButton, Popover, Select, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { videoAddress } from '../../../../server/publications/document/schema.ts'
import { fetchImage } from '../../../media/fetch-image.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { useErrorText } from '../../../ui/error-notice.tsx'
import { IconPhoto, IconTable, IconVideo } from '../../../ui/icons.ts'
import formClasses from '../form.module.css'
import { iconProps, ToolButton } from '../toolbar/tool-button.tsx'
import { addressFromTyped } from '../toolbar/typed-address.ts'
import { type ImageUploadOptions, insertImages } from './image-upload.ts'
import { insertBelow, insertSelected } from './insert-commands.ts'

interface ToolProps {
  editor: Editor
  opened: boolean
  setOpened: (opened: boolean) => void
}

/** Inserts an image from a file or an address. Dropping or pasting a file into the text does the same. */
export function ImageTool({ editor, uploads, opened, setOpened }: ToolProps & { uploads: ImageUploadOptions }) {
  const { t } = useTranslation()
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" width={320} returnFocus={false}>
      <Popover.Target>
        <ToolButton label={t('editor.tool.image')} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
          <IconPhoto {...iconProps} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editor.tool.image')}>
        <ImageForm editor={editor} uploads={uploads} close={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ImageForm({ editor, uploads, close }: { editor: Editor; uploads: ImageUploadOptions; close: () => void }) {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const [alt, setAlt] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const newsletter = useNewsletter()
  const errorText = useErrorText()
  const src = addressFromTyped(address)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (!src?.startsWith('http')) return
    setBusy(true)
    try {
      const media = await fetchImage(newsletter.id, src)
      close()
      insertSelected(editor, (chain) => chain.setImage({ mediaId: media.id, src: media.url, alt }))
    } catch (error) {
      setRefusal(errorText(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className={formClasses.form}>
      <FileButton
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        multiple
        onChange={(files) => {
          close()
          void insertImages(editor.view, { files, position: editor.state.selection.to, uploads })
        }}
      >
        {(props) => (
          <Button
            {...props}
            fullWidth
            data-autofocus
            leftSection={<IconPhoto size={15} stroke={1.6} aria-hidden="true" />}
          >
            {t('editor.tool.chooseFile')}
          </Button>
        )}
      </FileButton>
      <p className={formClasses.hint}>{t('editor.tool.imageHint')}</p>
      <TextInput
        label={t('editor.tool.imageAddress')}
        placeholder="https://"
        inputMode="url"
        value={address}
        error={address !== '' && !src ? t('editor.tool.notAnAddress') : refusal}
        onChange={(event) => {
          setRefusal(null)
          setAddress(event.currentTarget.value)
        }}
      />
      {address !== '' && (
        <TextInput
          label={t('editor.tool.alt')}
          description={t('editor.tool.altHint')}
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
      )}
      <div className={formClasses.buttonsEnd}>
        <Button size="xs" type="submit" disabled={!src} loading={busy}>
          {t('editor.tool.insert')}
        </Button>
      </div>
    </form>
  )
}

/** Inserts a video by its address. The form names the provider, or says that the address is not a video. */
export function VideoTool({ editor, opened, setOpened }: ToolProps) {
  const { t } = useTranslation()
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" width={340} returnFocus={false}>
      <Popover.Target>
        <ToolButton label={t('editor.tool.video')} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
          <IconVideo {...iconProps} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editor.tool.video')}>
        <VideoForm editor={editor} close={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function VideoForm({ editor, close }: { editor: Editor; close: () => void }) {
  const { t } = useTranslation()
  const [url, setUrl] = useState('')
  const [title, setTitle] = useState('')
  const found = videoAddress(url.trim())
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!found) return
    close()
    insertSelected(editor, (chain) => chain.setVideo({ url: found.url, title }))
  }
  return (
    <form onSubmit={submit} className={formClasses.form}>
      <TextInput
        label={t('editor.tool.videoAddress')}
        description={found ? t(`editor.tool.provider.${found.provider}`) : t('editor.tool.videoHint')}
        placeholder="https://youtu.be/…"
        inputMode="url"
        value={url}
        error={url !== '' && !found ? t('editor.tool.notAVideo') : null}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('editor.tool.videoTitle')}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <div className={formClasses.buttonsEnd}>
        <Button size="xs" type="submit" disabled={!found}>
          {t('editor.tool.insert')}
        </Button>
      </div>
    </form>
  )
}

const sides = ['1', '2', '3', '4', '5', '6', '8', '10']

/** Inserts a table of a chosen size. Its settings change rows and columns later. */
export function TableTool({ editor, opened, setOpened }: ToolProps) {
  const { t } = useTranslation()
  const size = useRef({ rows: 3, cols: 3 })
  const choose = (side: 'rows' | 'cols') => (value: string | null) => {
    size.current[side] = Number(value ?? 3)
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setOpened(false)
    insertBelow(editor, (chain) => chain.insertTable({ ...size.current, withHeaderRow: true }))
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" width={260} returnFocus={false}>
      <Popover.Target>
        <ToolButton label={t('editor.tool.table')} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
          <IconTable {...iconProps} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editor.tool.table')}>
        <form onSubmit={submit} className={formClasses.form}>
          <div className={formClasses.fieldRow}>
            {(['rows', 'cols'] as const).map((side) => (
              <Select
                key={side}
                label={t(`editor.tool.${side}`)}
                data={sides}
                defaultValue="3"
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                onChange={choose(side)}
                data-autofocus={side === 'rows' || undefined}
              />
            ))}
          </div>
          <div className={formClasses.buttonsEnd}>
            <Button size="xs" type="submit">
              {t('editor.tool.insert')}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
