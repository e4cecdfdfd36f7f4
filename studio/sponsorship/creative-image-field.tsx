import { Button, FileButton, Input, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Creative, creativeLimits } from '../../server/sponsorship/bookings/contract.ts'
import { uploadImage } from '../media/upload-image.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPhoto } from '../ui/icons.ts'
import classes from './sponsorship.module.css'

interface Props {
  image: Creative['image']
  error: ReactNode
  onChange: (image: Creative['image']) => void
}

/** A sponsor's image, which is uploaded at once and used after the form is saved, with words for those who cannot see it. */
export function CreativeImageField({ image, error, onChange }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const uploading = useMutation({
    mutationFn: (file: File) => uploadImage(id, file),
    onSuccess: (media) => onChange({ mediaId: media.id, alt: image?.alt ?? media.alt }),
  })
  const used = image?.alt.trim().length ?? 0
  const isLong = used > creativeLimits.alt
  return (
    <>
      <Input.Wrapper label={t('sponsorship.image')} labelElement="div">
        <div className={classes.image}>
          {image && <img src={`/media/${image.mediaId}?w=320`} alt={image.alt} />}
          <FileButton
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            onChange={(file) => file && uploading.mutate(file)}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                loading={uploading.isPending}
                leftSection={<IconPhoto size={15} stroke={1.6} />}
              >
                {t(image ? 'sponsorship.imageChange' : 'sponsorship.imageChoose')}
              </Button>
            )}
          </FileButton>
          {image && (
            <Button size="xs" variant="subtle" color="rouge" onClick={() => onChange(null)}>
              {t('sponsorship.imageRemove')}
            </Button>
          )}
        </div>
        <ErrorNotice error={uploading.error} />
      </Input.Wrapper>
      {image ? (
        <TextInput
          label={t('sponsorship.imageAlt')}
          description={t('sponsorship.charactersUsed', { used, count: creativeLimits.alt })}
          required
          maxLength={creativeLimits.alt * 4}
          value={image.alt}
          error={error ?? (isLong ? t('errors.fields.at_most_characters', { count: creativeLimits.alt }) : undefined)}
          onChange={(event) => onChange({ ...image, alt: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}
