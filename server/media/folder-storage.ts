import { randomBytes } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { shortageIn } from '../shortage.ts'
import { codeOf, messageOf } from '../start-error.ts'
import { type Storage, type StoredFile, storageError } from './storage.ts'

/** Files in a folder of this machine. A file is written under another name first, so that no half of one is ever read. */
export class FolderStorage implements Storage {
  constructor(readonly place: string) {}

  async write(key: string, data: Buffer): Promise<void> {
    const file = join(this.place, key)
    const draft = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}.part`)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(draft, data, { flush: true })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw explained(error)
    }
  }

  async read(key: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.place, key))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw explained(error)
    }
  }

  async remove(key: string): Promise<void> {
    await rm(join(this.place, key), { force: true }).catch((error: unknown) => {
      throw explained(error)
    })
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    try {
      for await (const entry of await opendir(join(this.place, folder), { recursive: true })) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const written = await stat(path).catch(() => null)
        if (written) yield { key: relative(this.place, path).replaceAll(sep, '/'), writtenAt: written.mtime }
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw explained(error)
    }
  }
}

/** A full disk keeps its own error; anything else that a folder answers is a refusal. */
const explained = (error: unknown): unknown =>
  shortageIn(error) ? error : storageError('storage_refuses', messageOf(error))
