import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api.ts'
import { useFormat } from '../../../format.ts'
import { isSignedOut, SignInAgain, useErrorText } from '../../../ui/error-notice.tsx'
import { blockOf } from '../draft.ts'
import classes from '../editor.module.css'
import type { SaveState } from './autosave.ts'

/** A short word beside the title: saved, saving, or only on this device. */
export function SaveStatus({ state }: { state: SaveState }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state.kind === 'saved')
    return state.at ? t('editor.save.savedAt', { time: format.time(state.at) }) : t('editor.save.saved')
  if (state.kind === 'saving') return t('editor.save.saving')
  return t('editor.save.here')
}

interface Props {
  state: SaveState
  retry: () => void
  /** Brings the publication back, which somebody deleted meanwhile. */
  restore: () => void
  /** Shows the block that the server refused. */
  show: (block: number) => void
}

/** A notice while the draft cannot be saved, with its reason. */
export function SaveNotice({ state, retry, restore, show }: Props) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  if (state.kind === 'offline') {
    return (
      <Alert color="ocre" role="status" className={classes.notice}>
        <span>{t(navigator.onLine ? 'editor.save.away' : 'editor.save.offline')}</span>
        <Button size="xs" onClick={retry}>
          {t('ui.retry')}
        </Button>
      </Alert>
    )
  }
  if (state.kind !== 'refused') return null
  if (isDeleted(state.error))
    return (
      <Alert color="rouge" role="alert" className={classes.notice}>
        <span>{t('editor.save.deleted')}</span>
        <Button size="xs" onClick={restore}>
          {t('publish.deleted.restore')}
        </Button>
      </Alert>
    )
  if (isSignedOut(state.error))
    return (
      <Alert color="ocre" role="alert" className={classes.notice}>
        <span>{t('editor.save.signedOut')}</span>
        <SignInAgain goOn={retry} />
      </Alert>
    )
  const block = refusedBlock(state.error)
  return (
    <Alert color="rouge" role="alert" className={classes.notice}>
      <span>{errorText(state.error)}</span>
      {block !== null && (
        <Button size="xs" onClick={() => show(block)}>
          {t('editor.save.showPlace', { n: block })}
        </Button>
      )}
      <Button size="xs" onClick={retry}>
        {t('ui.retry')}
      </Button>
    </Alert>
  )
}

/** Whether a publication cannot be read or saved because somebody deleted it. */
export const isDeleted = (error: unknown): boolean => error instanceof ApiError && error.code === 'publication_deleted'

/** The block that a refusal names, wherever the reply names it. */
function refusedBlock(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'document_invalid') return null
  const named = JSON.stringify([error.detail, error.fields, error.message])
  return blockOf(/content\[\d+\]/.exec(named)?.[0] ?? '')
}
