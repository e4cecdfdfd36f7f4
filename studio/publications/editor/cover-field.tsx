import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadImage } from '../../media/upload-image.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import classes from './details.module.css'
import formClasses from './form.module.css'

interface Props {
  url: string | null
  choose: (media: { id: string } | null) => Promise<void>
  failed: (error: unknown) => void
}

/** The cover image for the archive and for link previews. Without one, the server draws a cover. */
export function CoverField({ url, choose, failed }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [busy, setBusy] = useState(false)
  const upload = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    await uploadImage(newsletter.id, file).then(choose).catch(failed)
    setBusy(false)
  }
  return (
    <fieldset className={classes.field}>
      <legend>{t('publish.details.cover')}</legend>
      <p className={formClasses.hint}>{t('publish.details.coverHint')}</p>
      {url && <img className={classes.cover} src={`${url}?w=600`} alt="" />}
      <div className={formClasses.buttonsStart}>
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={(file) => void upload(file)}
        >
          {(props) => (
            <Button {...props} loading={busy}>
              {t(url ? 'publish.details.coverChange' : 'publish.details.coverChoose')}
            </Button>
          )}
        </FileButton>
        {url && (
          <Button variant="subtle" color="rouge" onClick={() => void choose(null)}>
            {t('publish.details.coverRemove')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
