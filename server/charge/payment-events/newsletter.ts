import type { Db } from '../../database/client.ts'
import type { ChargingNewsletter } from '../change.ts'

/** A newsletter, one too that was deleted and can be restored: what is paid meanwhile counts. */
export const findCharging = (db: Db, newsletterId: string): Promise<ChargingNewsletter | undefined> =>
  db.selectFrom('newsletter').select(['id', 'grace_days']).where('id', '=', newsletterId).executeTakeFirst()
