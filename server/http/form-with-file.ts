import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Route } from './routes.ts'
import { textFields } from './text-fields.ts'

export interface SentFile {
  data: Buffer
  name: string
  /** Longer than was allowed: `data` is only its beginning. */
  isCut: boolean
}

export interface SentForm {
  fields: Record<string, string>
  /** Null when none was chosen, or none was to be kept. */
  file: SentFile | null
  /** Whether one was chosen. */
  hasFile: boolean
}

interface Allowed {
  /** Of the file. */
  fileBytes: number
  /** Of each text. */
  fieldBytes: number
  /** Whether the file is kept in memory; else its bytes are read and thrown away, so that the texts are still answered. */
  keepsFile: boolean
}

/** Lets the form of a public page carry a file. Nothing of a multipart body is read before its handler calls `readForm`. */
export const takingFile = (route: Route): Route => ({
  ...route,
  register: (app) => {
    app.register(async (scope) => {
      // The parser of other public pages holds a whole body, and leaves files out.
      scope.removeContentTypeParser('multipart/form-data')
      await scope.register(multipart, { throwFileSizeLimit: false })
      route.register(scope)
    })
  },
})

/** What is read of a form at most, so that nobody keeps a connection busy for nothing. */
const MOST_BYTES = 60 * 1024 * 1024

/**
 * The texts of a form and its one file, in whatever encoding it was sent.
 *
 * @throws AppError too_large for a form that is not read at all, bad_request for one that ends too early
 */
export async function readForm(request: FastifyRequest, allowed: Allowed): Promise<SentForm> {
  if (!request.isMultipart()) return { fields: textFields(request.body), file: null, hasFile: false }
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw new AppError('too_large')
  try {
    return await readParts(request, allowed)
  } catch (error) {
    // The parser's own errors have no status: a form without a boundary, or one that ends too early.
    if (error instanceof Error && !('statusCode' in error)) throw new AppError('bad_request', { cause: error })
    throw error
  }
}

async function readParts(request: FastifyRequest, { fileBytes, fieldBytes, keepsFile }: Allowed): Promise<SentForm> {
  const limits = { files: 1, fields: 20, fileSize: fileBytes, fieldSize: fieldBytes }
  const form: SentForm = { fields: {}, file: null, hasFile: false }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (typeof part.value === 'string') form.fields[part.fieldname] = part.value
      continue
    }
    if (!keepsFile || part.filename === '' || part.filename === undefined) {
      form.hasFile ||= Boolean(part.filename)
      part.file.resume()
      continue
    }
    const data = await part.toBuffer()
    form.hasFile = true
    form.file = { data, name: part.filename, isCut: part.file.truncated }
  }
  return form
}
