import { Button, FileButton, Group, Input } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type StoredImage, uploadImage } from '../media/upload-image.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPhoto } from '../ui/icons.ts'
import classes from './newsletters.module.css'

interface Props {
  url: string | null
  error: ReactNode
  onChange: (media: StoredImage | null) => void
}

/** The logo beside the newsletter's name. It is uploaded at once, and used after the form is saved. */
export function LogoField({ url, error, onChange }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const uploading = useMutation({
    mutationFn: (file: File) => uploadImage(id, file),
    onSuccess: onChange,
  })
  return (
    <Input.Wrapper
      label={t('newsletters.branding.logo')}
      labelElement="div"
      description={t('newsletters.branding.logoHint')}
      error={error}
    >
      <div className={classes.logo}>
        {url && <img src={url} alt={t('newsletters.branding.logo')} />}
        <Group gap="sm" mt="xs">
          <FileButton
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            onChange={(file) => file && uploading.mutate(file)}
          >
            {(props) => (
              <Button {...props} loading={uploading.isPending} leftSection={<IconPhoto size={15} stroke={1.6} />}>
                {t(url ? 'newsletters.branding.logoChange' : 'newsletters.branding.logoChoose')}
              </Button>
            )}
          </FileButton>
          {url && (
            <Button variant="subtle" color="rouge" onClick={() => onChange(null)}>
              {t('newsletters.branding.logoRemove')}
            </Button>
          )}
        </Group>
      </div>
      <ErrorNotice error={uploading.error} />
    </Input.Wrapper>
  )
}
