import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { sendTest } from '../../../server/publications/contract.ts'
import { readingMinutes, wordCount } from '../../../server/publications/document/document-text.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { signInOptionsQuery } from '../../shell/sign-in-options.ts'
import { useErrorText } from '../../ui/error-notice.tsx'
import { IconAdjustmentsHorizontal, IconArrowRight, IconEye, IconHistory, IconSend } from '../../ui/icons.ts'
import { NoticeLink } from '../../ui/notice-link.tsx'
import type { Publication } from '../queries.ts'
import type { Draft } from './draft.ts'
import classes from './publication-header.module.css'
import { PublicationHeader } from './publication-header.tsx'
import type { SaveState } from './saving/autosave.ts'
import { SaveStatus } from './saving/save-status.tsx'

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
      status={<SaveStatus state={props.state} />}
    >
      <Length draft={props.draft} />
      {mayEdit && (
        <Action
          label={t('publish.details.title')}
          icon={<IconAdjustmentsHorizontal size={15} stroke={1.6} />}
          onClick={() => props.open('details')}
        />
      )}
      <Action
        label={t('publish.history.title')}
        icon={<IconHistory size={15} stroke={1.6} />}
        onClick={() => props.open('history')}
      />
      <Action
        label={t('publish.preview.title')}
        icon={<IconEye size={15} stroke={1.6} />}
        onClick={props.togglePreview}
        pressed={props.preview}
      />
      {mayEdit && (
        <>
          <i className={classes.separator} />
          <TestMailButton publication={props.publication} save={props.save} isSaved={props.isSaved} />
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

function Length({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const format = useFormat()
  const content = useDeferredValue(draft.content)
  const [words, minutes] = useMemo(() => [wordCount(content), readingMinutes(content)], [content])
  return (
    <span className={classes.length}>
      {t('publish.editor.words', { count: words, n: format.number(words) })},{' '}
      {t('publish.editor.minutes', { n: minutes })}
    </span>
  )
}

interface ActionProps {
  label: string
  icon: React.ReactNode
  onClick: () => void
  pressed?: boolean
  loading?: boolean
}

/** A button with an icon and a label. On a small screen only the icon is visible. */
function Action({ label, icon, onClick, pressed, loading = false }: ActionProps) {
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        className={classes.action}
        leftSection={icon}
        aria-pressed={pressed}
        loading={loading}
        onClick={onClick}
      >
        {label}
      </Button>
      <Tooltip label={label}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.iconAction}
          aria-label={label}
          aria-pressed={pressed}
          loading={loading}
          onClick={onClick}
        >
          {icon}
        </ActionIcon>
      </Tooltip>
    </>
  )
}

type TestProps = Pick<Props, 'publication' | 'save' | 'isSaved'>

/** Sends the saved version to the signed-in member, and shows where it went. */
function TestMailButton({ publication, save, isSaved }: TestProps) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { data: options } = useQuery(signInOptionsQuery)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await save()
      if (!isSaved()) return
      const { to } = await call(sendTest, {
        params: { newsletterId: newsletter.id, publicationId: publication.id },
        body: {},
      })
      const notice = `test-${publication.id}`
      notifications.hide(notice)
      notifications.show({
        id: notice,
        title: t('publish.test.sent', { to: to.join(', ') }),
        message: options?.mailIsCaught ? (
          <NoticeLink notice={notice} to="/outbox" navigate={navigate}>
            {t('publish.test.caught')}
          </NoticeLink>
        ) : (
          t('publish.test.look')
        ),
      })
    } catch (error) {
      notifications.show({ message: errorText(error), color: 'rouge', role: 'alert' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Action
      label={t('publish.test.send')}
      icon={<IconSend size={15} stroke={1.6} />}
      onClick={() => void send()}
      loading={busy}
    />
  )
}
