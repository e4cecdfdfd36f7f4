import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { readAddress } from '../../subscribers/address.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findSuppression } from '../../subscribers/queries.ts'
import { translator } from '../../translator.ts'
import { Currency } from '../currency.ts'
import { writtenSum } from '../money.ts'
import { wordsIn } from '../plans/offers.ts'
import { giftAddress } from './gift.page.tsx'
import type { OrderRow } from './orders.ts'
import { findGift } from './redeem.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Who bought a gift, or for whom it was bought. */
    mail_bought_gift: { newsletterId: string; orderId: string; to: 'buyer' | 'recipient' }
  }
}

/**
 * Mails the code of a gift that is paid: to its buyer with what it cost, to its recipient with the buyer's words. Nothing is said of a gift that was taken or
 * withdrawn meanwhile, nor to an address that bounced or complained.
 */
export function mailBoughtGiftJob({ db, config, now }: Context): Job<'mail_bought_gift'> {
  return async ({ newsletterId, orderId, to }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const order = newsletter && (await findOrder(db, newsletterId, orderId))
    const gift = order?.gift_id ? await findGift(db, { newsletterId, giftId: order.gift_id }, now()) : null
    const address = readAddress((to === 'buyer' ? order?.buyer_email : order?.recipient_email) ?? '')
    if (!newsletter || !order || !gift || !address) return
    if (!gift.open || (await findSuppression(db, newsletterId, address.normalised))) return
    const language = order.language as Language
    const t = translator(language)
    const { name: plan } = wordsIn(gift.words, language)
    const named = { newsletter: newsletter.name, plan, code: gift.code, count: gift.months }
    const query = new URLSearchParams({ lang: language, code: gift.code })
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address: `${config.publicUrl}${giftAddress(newsletter)}?${query}`,
      words: (part) => t(`boughtGifts.mail.${to}.${part}`, named),
      more: to === 'buyer' ? [t('boughtGifts.mail.paid', { sum: await sumOf(db, order) })] : giftWords(order, language),
    })
    const payload = { to: address.typed, newsletterId, ...mail }
    await db.transaction().execute(async (tx) => {
      const column = to === 'buyer' ? 'buyer_mailed_at' : 'recipient_mailed_at'
      await tx
        .updateTable('gift_order')
        .set({ [column]: now() })
        .where('newsletter_id', '=', newsletterId)
        .where('id', '=', orderId)
        .execute()
      await replaceJob(tx, helpers, { name: 'send_mail', payload })
    })
  }
}

/** For whom it is, and what the buyer wrote, as plain text. */
function giftWords({ recipient_name: name, message }: OrderRow, language: Language): string[] {
  const t = translator(language)
  if (!message) return name ? [t('boughtGifts.mail.for', { name })] : []
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  return [name ? t('boughtGifts.mail.wordsFor', { name }) : t('boughtGifts.mail.words'), ...lines]
}

const findOrder = (db: Db, newsletterId: string, id: string): Promise<OrderRow | undefined> =>
  db
    .selectFrom('gift_order')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()

async function sumOf(db: Db, { newsletter_id, gift_id, language }: OrderRow): Promise<string> {
  const { rows } = await sql<{ amount: number; currency: string }>`
    select amount, currency from payment where newsletter_id = ${newsletter_id} and gift_id = ${gift_id} and kind = 'payment'
    order by at limit 1`.execute(db)
  const [paid] = rows
  return paid ? writtenSum(Number(paid.amount), Currency.parse(paid.currency), language as Language) : ''
}
