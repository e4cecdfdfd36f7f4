import { Button, FileButton, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadImage } from '../../media/upload-image.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import classes from './details.module.css'
import formClasses from './form.module.css'

interface Props {
  url: string | null
  drawn: boolean
  choose: (media: { id: string } | null) => Promise<void>
  draw: (drawn: boolean) => Promise<void>
  failed: (error: unknown) => void
}

/** The cover of the mail, the page and the archive: an image, one that the server draws, or none. */
export function CoverField({ url, drawn, choose, draw, failed }: Props) {
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
        {!url && (
          <SegmentedControl
            aria-label={t('publish.details.cover')}
            data={(['drawn', 'none'] as const).map((value) => ({ value, label: t(`publish.details.covers.${value}`) }))}
            value={drawn ? 'drawn' : 'none'}
            onChange={(value) => void draw(value === 'drawn')}
          />
        )}
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
