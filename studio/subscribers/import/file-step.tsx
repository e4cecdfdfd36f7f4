import { Button, FileButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importLimits } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconUpload } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './import.module.css'
import { type ShownImport, useOpenImport } from './queries.ts'
import { uploadFile } from './upload-file.ts'

const MEGABYTE = 1_000_000
const limits = { megabytes: importLimits.bytes / MEGABYTE, unproven: importLimits.unprovenBytes / MEGABYTE }

/** Where a file is dropped or chosen, and its upload. */
export function FileStep() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, role } = useNewsletter()
  const isProven = useUser().emailVerified && role === 'owner'
  const queries = useQueryClient()
  const openImport = useOpenImport()
  const [begun, setBegun] = useState<ShownImport | null>(null)
  const [over, setOver] = useState(false)
  const uploading = useMutation({
    mutationFn: ({ file, rest }: { file: File; rest: ShownImport | null }) =>
      uploadFile({ newsletterId: id, file, begun: rest, onPart: setBegun }),
    onSettled: () => queries.invalidateQueries({ queryKey: [id, 'imports'] }),
  })
  const start = (file: File | null | undefined, rest: ShownImport | null = null) => {
    if (!file || uploading.isPending) return
    setBegun(rest)
    uploading.mutate({ file, rest }, { onSuccess: (one) => openImport(one.id) })
  }
  const hover = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver)
  }
  const drop = (event: DragEvent) => {
    hover(false)(event)
    start(event.dataTransfer.files[0])
  }
  const file = uploading.variables?.file
  return (
    <Section title={t('imports.file.title')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={hover(true)}
        onDragLeave={hover(false)}
        onDrop={drop}
      >
        {uploading.isPending && file ? (
          <div role="status">
            <strong>{t('imports.file.uploading', { name: file.name })}</strong>
            <ProgressBar value={begun?.received ?? 0} of={file.size} label={t('imports.working.uploading')} />
            <p>
              {format.percent((begun?.received ?? 0) / Math.max(1, file.size))} · {t('imports.file.keep')}
            </p>
          </div>
        ) : (
          <>
            <strong>{t('imports.file.drop')}</strong>
            <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values" onChange={start}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={15} stroke={1.6} />}>
                  {t('imports.file.choose')}
                </Button>
              )}
            </FileButton>
            <p>
              {t(isProven ? 'imports.file.limit' : 'imports.file.limits', limits)} {t('imports.file.hint')}
            </p>
          </>
        )}
      </div>
      <ErrorNotice error={uploading.error} />
      {uploading.isError && file && begun && (
        <Button onClick={() => start(file, begun)}>{t('imports.file.again')}</Button>
      )}
    </Section>
  )
}
