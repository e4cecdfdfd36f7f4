import { Media, uploadMedia } from '../../server/media/contract.ts'
import { addressOf, upload } from '../api.ts'
import { smaller } from './smaller.ts'

export type StoredImage = ReturnType<typeof Media.parse>

/** Uploads one image, made smaller first when it is large, and resolves with the stored one. Rejects as `call` does. */
export async function uploadImage(newsletterId: string, file: File): Promise<StoredImage> {
  const form = new FormData()
  form.append('file', await smaller(file))
  return Media.parse(await upload(addressOf(uploadMedia, { newsletterId }), form))
}
