import { Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readImportAs, type Sheet } from '../../../server/subscribers/import/contract.ts'
import { type Encoding, encodings } from '../../../server/subscribers/import/file/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import classes from './import.module.css'
import type { ShownImport } from './queries.ts'

interface Props {
  one: ShownImport
  sheet: Sheet
  onRead: (sheet: Sheet) => void
}

/** The encoding that was found, others to choose from, and what becomes of letters that encodings write differently. */
export function EncodingField({ one, sheet, onRead }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const reading = useMutation({
    mutationFn: (encoding: Encoding) =>
      call(readImportAs, { params: { newsletterId: id, importId: one.id }, body: { encoding } }),
    onSuccess: (read) => {
      if (read.sheet) onRead(read.sheet)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [id, 'imports'] }),
  })
  return (
    <div className={classes.encoding}>
      <Select
        label={t('imports.encoding.label')}
        description={t('imports.encoding.hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={encodings.map((value) => ({ value, label: t(`imports.encoding.names.${value}`) }))}
        value={reading.isPending ? reading.variables : sheet.encoding}
        // While the file is read again it ignores a choice. Disabled, it would lose the focus.
        onChange={(encoding) => encoding && !reading.isPending && reading.mutate(encoding)}
        allowDeselect={false}
        searchable
      />
      {sheet.samples.length > 0 && (
        <div role="status">
          <small>{t('imports.encoding.samples')}</small>
          <ul>
            {sheet.samples.map((sample) => (
              <li key={sample}>{sample}</li>
            ))}
          </ul>
        </div>
      )}
      <ErrorNotice error={reading.error} />
    </div>
  )
}
