import { heldOfUser } from '../personal-data/holding.ts'

export const mediaUserData = [
  heldOfUser({
    table: 'media',
    person: 'created_by',
    exported: ['newsletter_id', 'id', 'file_name', 'alt', 'created_at'],
    erase: 'set null',
    merge: 'move',
  }),
]
