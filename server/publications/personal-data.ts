import { heldOfUser } from '../personal-data/holding.ts'

export const publicationUserData = [
  heldOfUser({
    table: 'publication',
    person: 'author_id',
    exported: ['newsletter_id', 'id', 'title', 'subtitle', 'content', 'created_at', 'edited_at'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'publication_revision',
    person: 'saved_by',
    exported: ['newsletter_id', 'publication_id', 'revision', 'title', 'saved_at'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'deleted_publication',
    person: 'author_id',
    exported: ['newsletter_id', 'id', 'title', 'subtitle', 'content', 'created_at', 'edited_at', 'deleted_at'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'deleted_publication_revision',
    person: 'saved_by',
    exported: ['newsletter_id', 'publication_id', 'revision', 'title', 'saved_at'],
    erase: 'set null',
    merge: 'move',
  }),
]
