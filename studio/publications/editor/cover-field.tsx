import { Button, FileButton, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadImage } from '../../media/upload-image.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import type { Publication } from '../queries.ts'
import classes from './details.module.css'
import formClasses from './form.module.css'
import type { DetailsPart, SaveDetails } from './use-details.ts'

interface Props {
  publication: Publication
  save: SaveDetails
  /** Beside the text: a small picture, and no hint. */
  small?: boolean
}

/** The cover of the mail, the page and the archive: an image, one that the server draws, or none. */
export function CoverField({ publication, save, small = false }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const keep = (part: DetailsPart) => save(part).then(() => setError(null), setError)
  const upload = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    await uploadImage(newsletter.id, file).then(({ id }) => keep({ coverMediaId: id }), setError)
    setBusy(false)
  }
  const { coverUrl: own, drawsCover } = publication
  return (
    <fieldset className={classes.field} data-small={small || undefined}>
      <legend>{t('editor.details.cover')}</legend>
      {!small && <p className={formClasses.hint}>{t('editor.details.coverHint')}</p>}
      <ErrorNotice error={error} />
      <Cover of={publication} />
      <div className={formClasses.buttonsStart}>
        {!own && (
          <SegmentedControl
            aria-label={t('editor.details.cover')}
            size={small ? 'xs' : 'sm'}
            data={(['drawn', 'none'] as const).map((value) => ({ value, label: t(`editor.details.covers.${value}`) }))}
            value={drawsCover ? 'drawn' : 'none'}
            onChange={(value) => void keep({ drawsCover: value === 'drawn' })}
          />
        )}
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={(file) => void upload(file)}
        >
          {(props) => (
            <Button {...props} size={small ? 'xs' : 'sm'} loading={busy}>
              {t(own ? 'editor.details.coverChange' : 'editor.details.coverChoose')}
            </Button>
          )}
        </FileButton>
        {own && (
          <Button
            size={small ? 'xs' : 'sm'}
            variant="subtle"
            color="rouge"
            onClick={() => void keep({ coverMediaId: null })}
          >
            {t('editor.details.coverRemove')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

function Cover({ of: { coverUrl: own, drawsCover, drawnCoverUrl } }: { of: Publication }) {
  const picture = own ? `${own}?w=600` : drawsCover ? drawnCoverUrl : null
  return picture && <img className={classes.cover} src={picture} alt="" />
}

/** The cover beside the text, for whoever may only read. */
export const ShownCover = ({ of: publication }: { of: Publication }) => (
  <div className={classes.field} data-small data-shown>
    <Cover of={publication} />
  </div>
)
