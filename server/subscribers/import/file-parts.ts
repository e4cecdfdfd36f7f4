import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { folderOf } from '../../media/files.ts'
import { openStorage } from '../../media/open-storage.ts'
import type { Storage } from '../../media/storage.ts'

interface ImportKey {
  newsletterId: string
  importId: string
}

/**
 * The uploaded file of an import, as parts in the storage of the media, beside the newsletter's images: none is larger than memory
 * allows, and they go with the newsletter.
 */
export class FileParts {
  #storage: Promise<Storage> | null = null

  constructor(private readonly config: Config) {}

  /** @throws AppError storage_refuses, storage_away; errors of a full disk */
  async write(key: ImportKey, part: number, data: Buffer): Promise<void> {
    await (await this.#open()).write(this.#keyOf(key, part), data)
  }

  /** The bytes of so many parts, in order. @throws AppError storage_refuses, storage_away, import_not_found when one is gone */
  async *read(key: ImportKey, parts: number): AsyncGenerator<Buffer> {
    const storage = await this.#open()
    for (let part = 0; part < parts; part++) {
      const data = await storage.read(this.#keyOf(key, part))
      if (!data) throw new AppError('import_not_found')
      yield data
    }
  }

  async remove(key: ImportKey, parts: number): Promise<void> {
    const storage = await this.#open()
    // One more: a part may have been written and not counted.
    for (let part = 0; part <= parts; part++) await storage.remove(this.#keyOf(key, part))
  }

  #open(): Promise<Storage> {
    this.#storage ??= openStorage(this.config)
    return this.#storage
  }

  #keyOf({ newsletterId, importId }: ImportKey, part: number): string {
    return `${folderOf(this.config, newsletterId)}import-${importId}-${part}.csv`
  }
}
