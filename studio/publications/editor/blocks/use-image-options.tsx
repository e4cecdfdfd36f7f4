import { notifications } from '@mantine/notifications'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchImage } from '../../../media/fetch-image.ts'
import { uploadImage } from '../../../media/upload-image.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { useErrorText } from '../../../ui/error-notice.tsx'
import { useErrorToast } from '../../../ui/error-toast.tsx'
import classes from '../form.module.css'
import type { ImageUploadOptions } from './image-upload.ts'
import { type LostImage, MOST_PASTED, type PastedImagesOptions } from './pasted-images.ts'

/** What the editor needs to keep images: from files, and from what is pasted. The same objects as long as the newsletter is. */
export function useImageOptions(): { uploads: ImageUploadOptions; pasted: PastedImagesOptions } {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const errorText = useErrorText()
  const showError = useErrorToast()
  const latest = useRef({ t, errorText, showError })
  latest.current = { t, errorText, showError }
  return useMemo(() => {
    const reasonOf = ({ src, error }: LostImage): string => {
      const { t, errorText } = latest.current
      if (error === null) return t('editor.pasted.tooMany', { most: MOST_PASTED })
      return isWeb(src) ? errorText(error) : t('editor.pasted.notThere')
    }
    const fetchWeb = (src: string) =>
      isWeb(src) ? fetchImage(newsletter.id, src) : Promise.reject(new Error('no address of the web'))
    return {
      uploads: {
        newsletterId: () => newsletter.id,
        label: (name) => latest.current.t('editor.tool.uploading', { name }),
        failed: (error) => latest.current.showError(error),
      },
      pasted: {
        fetch: fetchWeb,
        upload: (file) => uploadImage(newsletter.id, file),
        label: (src) =>
          isWeb(src)
            ? latest.current.t('editor.pasted.fetching', { host: new URL(src).host })
            : latest.current.t('editor.pasted.keeping'),
        lost: (images) =>
          notifications.show({
            title: latest.current.t('editor.pasted.lost', { count: images.length }),
            message: <LostImages images={images.map((image) => ({ src: image.src, reason: reasonOf(image) }))} />,
            color: 'rouge',
            role: 'alert',
            autoClose: 30_000,
          }),
      },
    }
  }, [newsletter.id])
}

const isWeb = (src: string): boolean => /^https?:/i.test(src) && URL.canParse(src)

function LostImages({ images }: { images: { src: string; reason: string }[] }) {
  const { t } = useTranslation()
  return (
    <>
      <ul className={classes.lost}>
        {images.map(({ src, reason }) => (
          <li key={src}>
            {isWeb(src) && <b>{nameOf(src)}</b>} {reason}
          </li>
        ))}
      </ul>
      {t('editor.pasted.kept')}
    </>
  )
}

/** The end of an address, by which somebody knows the image again. */
const nameOf = (src: string): string => {
  const { host, pathname } = new URL(src)
  return pathname.split('/').at(-1)?.slice(0, 60) || host
}
