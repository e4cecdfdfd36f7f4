import { AppError } from '../errors.ts'

export interface StoredFile {
  key: string
  writtenAt: Date
}

/**
 * The files of the media. Each call has an end: it answers within seconds or throws.
 *
 * All throw AppError storage_refuses when the storage answers that it will not, and storage_away when it does not answer, both
 * with a reason for the operator in which there is no secret. A full disk throws the error of the system, see `shortageIn`.
 */
export interface Storage {
  /** Where it is, without secrets. */
  readonly place: string
  /** The file has all of its content or none. */
  write(key: string, data: Buffer): Promise<void>
  /** Null when there is no such file. */
  read(key: string): Promise<Buffer | null>
  /** Does nothing when there is no such file. */
  remove(key: string): Promise<void>
  /** Every file whose key begins with `folder`, which is empty or ends with a slash. */
  list(folder: string): AsyncIterable<StoredFile>
}

/** @param reason for the operator */
export const storageError = (code: 'storage_refuses' | 'storage_away', reason: string): AppError =>
  new AppError(code, { cause: new Error(reason) })
