import { ensureEventPartitionsJob } from './analytics/event-partitions.job.ts'
import { forwardAnalyticsJob } from './analytics/events.ts'
import { forgetAuditJob } from './audit/forget-audit.job.ts'
import { forgetOptInRequestsJob } from './campaigns/opt-in/forget-requests.job.ts'
import { mailOptInJob, mailOptInReceiptJob } from './campaigns/opt-in/mail-opt-in.job.ts'
import { tellOfOfferJob } from './campaigns/opt-in/tell-offer.job.ts'
import { countStayedJob } from './campaigns/recommendations/count-stayed.job.ts'
import { renewRemoteNewslettersJob } from './campaigns/recommendations/remote/renew.job.ts'
import { endSubscriptionsOverJob } from './charge/end-over.job.ts'
import { forgetGiftOrdersJob } from './charge/gifts/forget-orders.job.ts'
import { mailBoughtGiftJob } from './charge/gifts/mail-bought-gift.job.ts'
import { mailGiftJob } from './charge/gifts/mail-gift.job.ts'
import { mailEnteredJob } from './charge/outside/mail-entered.job.ts'
import { remindOfEndsJob } from './charge/outside/remind.job.ts'
import { compareAllWithStripeJob, compareWithStripeJob } from './charge/payment-events/compare.job.ts'
import { forgetPaymentEventsJob } from './charge/payment-events/forget.job.ts'
import { mailPaymentFailureJob } from './charge/payment-events/mail-failure.job.ts'
import { keepEntitlementsJob } from './charge/plans/keep-entitlements.job.ts'
import { movePricesDueJob, movePricesJob } from './charge/price-moves/move-prices.job.ts'
import { mailReadLinkJob } from './charge/readers/mail-link.job.ts'
import { cancelAtStripeJob } from './charge/stripe/cancel-at-stripe.job.ts'
import { endChargesOf, holdChargesJob, holdChargesOfDeletedJob } from './charge/stripe/hold.job.ts'
import { composeDigestsJob } from './digests/compose-digests.job.ts'
import { verifyDkimKeysJob } from './domains/verify-dkim-keys.job.ts'
import { forgetGuestsJob } from './identity/forget-guests.job.ts'
import type { JobList } from './jobs/queue.ts'
import { eraseReadersJob } from './links/erase-readers.job.ts'
import { judgeClickPatternsJob } from './links/patterns.job.ts'
import { replayClicksJob } from './links/replay.job.ts'
import { collectMediaJob } from './media/collect-media.job.ts'
import { removeMediaFilesJob, removeNewsletterFilesJob } from './media/remove.ts'
import { forgetNewslettersJob } from './newsletters/forget-newsletters.job.ts'
import { forgetDeletedPublicationsJob } from './publications/forget-deleted.job.ts'
import { segmentDeletedJob } from './publications/segment-deleted.job.ts'
import { resumeStartsJob, startPublicationJob } from './publications/start.job.ts'
import { forgetCaughtMailJob } from './relays/forget-caught.job.ts'
import type { WithRelays } from './relays/relays.ts'
import { sendMailJob } from './sending/system-mail.ts'
import { expireBookingsJob } from './sponsorship/bookings/expire.job.ts'
import { closeBookingCheckoutsJob } from './sponsorship/payment/close-checkouts.job.ts'
import { tellOfPaymentJob } from './sponsorship/payment/tell-payment.job.ts'
import { reportBookingsJob } from './sponsorship/report/report.job.ts'
import { forgetBulkChangesJob, resumeBulkChangesJob, runBulkChangeJob } from './subscribers/bulk/bulk-change.job.ts'
import { mailOwnPageJob } from './subscribers/own-page/mail-link.job.ts'
import { mailMoveJob } from './subscribers/own-page/mail-move.job.ts'
import { foldSubscriberCountsJob } from './subscribers/subscriber-count.ts'

/** THE MAP of background work: every job by name. `crontab` has graphile-worker's syntax, in UTC. */
export const jobsOf = (context: WithRelays): JobList => ({
  cancel_at_stripe: cancelAtStripeJob(context),
  close_booking_checkouts: closeBookingCheckoutsJob(context),
  collect_media: collectMediaJob(context),
  compare_all_with_stripe: compareAllWithStripeJob(context),
  compare_with_stripe: compareWithStripeJob(context),
  compose_digests: composeDigestsJob(context),
  count_stayed: countStayedJob(context),
  end_subscriptions_over: endSubscriptionsOverJob(context),
  ensure_event_partitions: ensureEventPartitionsJob(context),
  erase_readers: eraseReadersJob(context),
  expire_bookings: expireBookingsJob(context),
  fold_subscriber_counts: foldSubscriberCountsJob(context),
  forget_audit: forgetAuditJob(context),
  forget_bulk_changes: forgetBulkChangesJob(context),
  forget_caught_mail: forgetCaughtMailJob(context),
  forget_deleted_publications: forgetDeletedPublicationsJob(context),
  forget_gift_orders: forgetGiftOrdersJob(context),
  forget_guests: forgetGuestsJob(context),
  forget_opt_in_requests: forgetOptInRequestsJob(context),
  forget_payment_events: forgetPaymentEventsJob(context),
  forget_newsletters: forgetNewslettersJob(context, (newsletterId) => endChargesOf(context, newsletterId)),
  forward_analytics: forwardAnalyticsJob(context),
  judge_click_patterns: judgeClickPatternsJob(context),
  hold_charges: holdChargesJob(context),
  hold_charges_of_deleted: holdChargesOfDeletedJob(context),
  keep_entitlements: keepEntitlementsJob(context),
  mail_bought_gift: mailBoughtGiftJob(context),
  mail_gift: mailGiftJob(context),
  mail_entered_subscription: mailEnteredJob(context),
  mail_move: mailMoveJob(context),
  mail_opt_in: mailOptInJob(context),
  mail_opt_in_receipt: mailOptInReceiptJob(context),
  mail_own_page: mailOwnPageJob(context),
  mail_read_link: mailReadLinkJob(context),
  mail_payment_failure: mailPaymentFailureJob(context),
  move_prices: movePricesJob(context),
  move_prices_due: movePricesDueJob(context),
  remind_of_ends: remindOfEndsJob(context),
  remove_media_files: removeMediaFilesJob(context),
  remove_newsletter_files: removeNewsletterFilesJob(context),
  renew_remote_newsletters: renewRemoteNewslettersJob(context),
  replay_clicks: replayClicksJob(context),
  report_bookings: reportBookingsJob(context),
  resume_bulk_changes: resumeBulkChangesJob(context),
  resume_starts: resumeStartsJob(context),
  run_bulk_change: runBulkChangeJob(context),
  segment_deleted: segmentDeletedJob(context),
  send_mail: sendMailJob(context),
  start_publication: startPublicationJob(context),
  tell_of_offer: tellOfOfferJob(context),
  tell_of_payment: tellOfPaymentJob(context),
  verify_dkim_keys: verifyDkimKeysJob(context),
})

export const crontab = `
5 0 * * * ensure_event_partitions ?fill=1d
* * * * * compose_digests
* * * * * judge_click_patterns
* * * * * resume_bulk_changes
* * * * * resume_starts
*/5 * * * * fold_subscriber_counts
*/5 * * * * expire_bookings
*/5 * * * * report_bookings
40 * * * * end_subscriptions_over
10 * * * * remind_of_ends ?fill=1d
20 * * * * move_prices_due
25 * * * * forget_guests
50 * * * * renew_remote_newsletters
15 * * * * verify_dkim_keys
25 3 * * * count_stayed ?fill=1d
30 3 * * * hold_charges_of_deleted
35 3 * * * forget_newsletters
38 3 * * * forget_opt_in_requests
36 3 * * * forget_deleted_publications
40 3 * * * forget_payment_events
42 3 * * * forget_gift_orders
45 3 * * * forget_audit
50 3 * * * forget_bulk_changes
55 3 * * * collect_media
20 4 * * * compare_all_with_stripe ?fill=1d
`
