import { unlessSame } from '../audit/unless-same.ts'
import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import * as contract from './contract.ts'
import { countSegment } from './count.ts'
import { addField, changeField, deleteField, listFields } from './fields.ts'
import { addSegment, changeSegment, deleteSegment, findSegment, listSegments } from './segments.ts'
import { addTag, deleteTag, listTags, renameTag } from './tags.ts'

const done = { done: true } as const
const isTrue = ({ evenIfUsed }: { evenIfUsed: 'true' | 'false' }) => evenIfUsed === 'true'

export function segmentRoutes(context: Context): Route[] {
  return [...tagRoutes(context), ...fieldRoutes(context), ...routesOfSegments(context)]
}

const tagRoutes = ({ db }: Context): Route[] => [
  on(contract.listTags, async ({ newsletterId }) => ({ tags: await listTags(db, newsletterId) })),
  on(contract.createTag, ({ newsletterId, body }) => addTag(db, newsletterId, body.name)),
  on(contract.renameTag, ({ newsletterId, params: { tagId }, body }) =>
    renameTag(db, { newsletterId, tagId }, body.name),
  ),
  on(contract.deleteTag, async ({ newsletterId, params: { tagId }, query, auditLine }) => {
    auditLine?.note({ name: await deleteTag(db, { newsletterId, tagId }, isTrue(query)) })
    return done
  }),
]

const fieldRoutes = ({ db }: Context): Route[] => [
  on(contract.listFields, async ({ newsletterId }) => ({ fields: await listFields(db, newsletterId) })),
  on(contract.createField, ({ newsletterId, body, auditLine }) => {
    auditLine?.note({ name: body.label })
    return addField(db, newsletterId, body)
  }),
  on(contract.updateField, async ({ newsletterId, params: { fieldId }, body, auditLine }) => {
    const field = await unlessSame(
      auditLine,
      () => listFields(db, newsletterId),
      () => changeField(db, { newsletterId, fieldId }, body),
    )
    auditLine?.note({ name: field.label })
    return field
  }),
  on(contract.deleteField, async ({ newsletterId, params: { fieldId }, query, auditLine }) => {
    auditLine?.note({ name: await deleteField(db, { newsletterId, fieldId }, isTrue(query)) })
    return done
  }),
]

const routesOfSegments = ({ db }: Context): Route[] => [
  on(contract.listSegments, async ({ newsletterId }) => ({ segments: await listSegments(db, newsletterId) })),
  on(contract.createSegment, ({ newsletterId, body }) => addSegment(db, newsletterId, body)),
  on(contract.getSegment, ({ newsletterId, params: { segmentId } }) => findSegment(db, { newsletterId, segmentId })),
  on(contract.updateSegment, async ({ newsletterId, params: { segmentId }, body, auditLine }) => {
    const key = { newsletterId, segmentId }
    const segment = await unlessSame(
      auditLine,
      () => findSegment(db, key),
      () => changeSegment(db, key, body),
    )
    auditLine?.note({ name: segment.name })
    return segment
  }),
  on(contract.deleteSegment, async ({ newsletterId, params: { segmentId }, query, auditLine }) => {
    auditLine?.note({ name: await deleteSegment(db, { newsletterId, segmentId }, isTrue(query)) })
    return done
  }),
  on(contract.countSegment, ({ newsletterId, body }) => countSegment(db, newsletterId, body)),
]
