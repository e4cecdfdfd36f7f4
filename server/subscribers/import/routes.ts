import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { WithRelays } from '../../relays/relays.ts'
import * as contract from './contract.ts'
import { FileParts } from './file-parts.ts'
import * as imports from './imports.ts'
import { streamReport } from './report.ts'

export function importRoutes(context: WithRelays): Route[] {
  const { db } = context
  const files = new FileParts(context.config)
  const mailPermissions = new MailPermissions(context)
  return [
    on(contract.listImports, async ({ newsletterId }) => ({ imports: await imports.listImports(db, newsletterId) })),
    on(contract.beginImport, async ({ newsletterId, userId, body }) => {
      await mailPermissions.require(newsletterId)
      return imports.beginImport(db, { newsletterId, personId: userId, ...body })
    }),
    on(contract.uploadImportPart, async ({ newsletterId, params: { importId, part }, request }) => {
      const key = { newsletterId, importId }
      await imports.findImport(db, key)
      await imports.addPart({ db, files }, key, { part, data: await uploadedPart(request) })
      return imports.findImport(db, key)
    }),
    on(contract.getImport, async ({ newsletterId, params: { importId } }) => {
      const key = { newsletterId, importId }
      return { ...(await imports.findImport(db, key)), report: await imports.firstReported(db, key) }
    }),
    on(contract.readImportAs, async ({ newsletterId, params: { importId }, body }) => {
      const key = { newsletterId, importId }
      await imports.readImportAs({ db, files }, key, body.encoding)
      return imports.findImport(db, key)
    }),
    on(contract.checkImport, async ({ newsletterId, params: { importId }, body }) => {
      const key = { newsletterId, importId }
      await imports.checkImport(db, key, body)
      return imports.findImport(db, key)
    }),
    on(contract.startImport, async ({ newsletterId, params: { importId } }) => {
      const key = { newsletterId, importId }
      await mailPermissions.require(newsletterId)
      await imports.startImport(db, key)
      return imports.findImport(db, key)
    }),
    on(contract.cancelImport, async ({ newsletterId, params: { importId } }) => {
      const key = { newsletterId, importId }
      await imports.cancelImport(db, key)
      return imports.findImport(db, key)
    }),
    on(contract.previewTakeBack, ({ newsletterId, params: { importId } }) =>
      imports.previewTakeBack(context, { newsletterId, importId }),
    ),
    on(contract.takeBackImport, async ({ newsletterId, params: { importId }, body }) => {
      const key = { newsletterId, importId }
      await imports.takeBackImport(context, key, body)
      return imports.findImport(db, key)
    }),
    on(contract.downloadImportReport, async ({ newsletterId, params: { importId }, query, t, reply }) => {
      await imports.findImport(db, { newsletterId, importId })
      reply.type('text/csv; charset=utf-8').header('cache-control', 'no-store')
      reply.header('content-disposition', `attachment; filename="import-${importId}.csv"`)
      return streamReport(context, { newsletterId, importId, t, sheet: query.sheet })
    }),
  ]
}

/** The one file of a multipart upload. @throws AppError unsupported_media_type, invalid, file_too_large, bad_request */
async function uploadedPart(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const megabytes = contract.importLimits.partBytes / 1_000_000
  const tooLarge = () => new AppError('file_too_large', { params: { megabytes } })
  const file = await request.file({ limits: { fileSize: contract.importLimits.partBytes } }).catch(unreadable)
  if (file?.fieldname !== 'file') throw new AppError('invalid', { fields: { file: 'required' } })
  return file.toBuffer().catch((error: unknown) => {
    throw file.file.truncated ? tooLarge() : unreadable(error)
  })
}

/** The parser's own errors have no status. @throws AppError bad_request */
function unreadable(error: unknown): never {
  if (error instanceof Error && !('statusCode' in error)) throw new AppError('bad_request', { cause: error })
  throw error
}
