import { beginImport, Import, importLimits, uploadImportPart } from '../../../server/subscribers/import/contract.ts'
import { addressOf, call, upload } from '../../api.ts'
import type { ShownImport } from './queries.ts'

interface Uploading {
  newsletterId: string
  file: File
  /** The import whose upload broke off, to send the rest of the same file. */
  begun: ShownImport | null
  /** Told before the first part and after each one. */
  onPart: (one: ShownImport) => void
}

/** Announces a file and sends it in parts. Resolves with the import once the whole file has arrived. Rejects as `call` does. */
export async function uploadFile({ newsletterId, file, begun, onPart }: Uploading): Promise<ShownImport> {
  const body = { fileName: file.name.slice(-200), bytes: file.size }
  let one = begun ?? (await call(beginImport, { params: { newsletterId }, body }))
  do {
    onPart(one)
    const form = new FormData()
    form.append('file', file.slice(one.received, one.received + importLimits.partBytes), 'part')
    one = Import.parse(
      await upload(addressOf(uploadImportPart, { newsletterId, importId: one.id, part: one.parts }), form),
    )
  } while (one.state === 'uploading')
  return one
}
