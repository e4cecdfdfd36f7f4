import type { Db } from '../database/client.ts'

/** A price of the demo. */
export interface Offered {
  planId: number
  priceId: number
  amount: number
  period: 'month' | 'year'
}

export interface SoldPlans {
  membership: { month: Offered; year: Offered }
  patron: { year: Offered }
}

const words = {
  free: {
    en: { name: 'Reading', promise: 'A letter every Saturday, and all that is open in the archive.' },
    fr: { name: 'Lecture', promise: 'Une lettre chaque samedi, et tout ce qui est ouvert dans les archives.' },
  },
  membership: {
    en: { name: 'Membership', promise: 'Every letter to its last line, and the whole archive.' },
    fr: { name: 'Adhésion', promise: 'Chaque lettre jusqu’à sa dernière ligne, et toutes les archives.' },
  },
  patron: {
    en: { name: 'Patron', promise: 'The membership, and the year’s letters as a numbered book.' },
    fr: { name: 'Mécénat', promise: 'L’adhésion, et les lettres de l’année en un recueil numéroté.' },
  },
}

/** A free plan, two that are paid, and a coupon. */
export async function addPlans(db: Db, newsletterId: string, at: Date): Promise<SoldPlans> {
  const of = { newsletter_id: newsletterId, created_at: at }
  const addPlan = async (name: keyof typeof words, position: number): Promise<number> => {
    const kind = name === 'free' ? ('free' as const) : ('paid' as const)
    const limits = { trial_days: name === 'membership' ? 14 : 0, pay_more: name === 'patron' }
    const plan = { ...of, ...limits, kind, position, words: JSON.stringify(words[name]) }
    return (await db.insertInto('plan').values(plan).returning('id').executeTakeFirstOrThrow()).id
  }
  const addPrice = async (
    planId: number,
    { currency = 'eur', ...sold }: Pick<Offered, 'period' | 'amount'> & { currency?: string },
  ): Promise<Offered> => {
    const row = { ...of, ...sold, plan_id: planId, currency }
    const { id } = await db.insertInto('price').values(row).returning('id').executeTakeFirstOrThrow()
    return { ...sold, planId, priceId: id }
  }
  await addPlan('free', 0)
  const [membership, patron] = [await addPlan('membership', 1), await addPlan('patron', 2)]
  const month = await addPrice(membership, { period: 'month', amount: 600 })
  const year = await addPrice(membership, { period: 'year', amount: 5400 })
  await addPrice(membership, { period: 'year', amount: 4600, currency: 'gbp' })
  const patronYear = await addPrice(patron, { period: 'year', amount: 12_000 })
  await db
    .insertInto('coupon')
    .values({
      newsletter_id: newsletterId,
      code: 'LOWTIDE',
      percent: 20,
      months: 12,
      plan_id: membership,
      most: 50,
    })
    .execute()
  return { membership: { month, year }, patron: { year: patronYear } }
}
