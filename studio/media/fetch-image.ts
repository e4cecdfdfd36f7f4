import { fetchMedia } from '../../server/media/contract.ts'
import { call } from '../api.ts'
import type { StoredImage } from './upload-image.ts'

/** Has the server keep an image of another server, and resolves with the stored one. Rejects as `call` does. */
export const fetchImage = (newsletterId: string, address: string): Promise<StoredImage> =>
  call(fetchMedia, { params: { newsletterId }, body: { address } })
