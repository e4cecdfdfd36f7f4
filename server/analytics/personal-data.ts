import { heldOfUser } from '../personal-data/holding.ts'

export const analyticsUserData = [
  heldOfUser({
    table: 'analytics_event',
    person: 'user_id',
    exported: ['at', 'name', 'params', 'visitor_id'],
    erase: 'set null',
    merge: 'move',
  }),
]
