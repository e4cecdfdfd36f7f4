import { z } from 'zod'

/** What happens at the door of an account. The owners of a newsletter see it of its members. */
const accountActs = [
  'account_deleted',
  'account_taken_back',
  'address_proven',
  'passkey_added',
  'passkey_removed',
  'password_changed',
  'password_reset',
  'recovery_code_used',
  'recovery_codes_made',
  'session_ended',
  'sessions_ended_by_operator',
  'sign_in_failed',
  'signed_in',
  'signed_up',
  'two_factor_off',
  'two_factor_on',
] as const
export const AccountAct = z.enum(accountActs)
export type AccountAct = z.infer<typeof AccountAct>

/** What the audit of a newsletter keeps, by kind: every act that could be disputed. */
const auditActs = {
  members: [
    'invitation_accepted',
    'invitation_withdrawn',
    'member_account_deleted',
    'member_invited',
    'member_removed',
    'member_role_changed',
  ],
  keys: ['api_key_made', 'api_key_revoked'],
  mail: [
    'domain_key_activated',
    'domain_key_made',
    'domain_key_removed',
    'domain_key_retired',
    'domain_limits_changed',
    'relay_added',
    'relay_changed',
    'relay_removed',
    'sender_proven',
  ],
  sendings: [
    'publication_deleted',
    'publication_restored',
    'publication_removed',
    'publication_sent',
    'sending_cancelled',
    'publication_taken_back',
    'publication_taken_off_web',
    'publication_put_back_on_web',
    'sending_paused',
    'sending_resumed',
    'sending_trusted',
    'sent_again',
    'uncertain_decided',
    'welcome_removed',
    'welcome_set',
  ],
  subscribers: [
    'deliveries_exported',
    'field_changed',
    'field_deleted',
    'field_made',
    'import_cancelled',
    'import_checked',
    'import_started',
    'import_taken_back',
    'receipts_exported',
    'segment_changed',
    'segment_deleted',
    'segment_made',
    'subscriber_erased',
    'subscriber_note_deleted',
    'subscriber_unsubscribed',
    'subscribers_change_ended',
    'subscribers_change_stopped',
    'subscribers_change_undone',
    'subscribers_changed',
    'subscribers_exported',
    'suppressions_lifted',
    'tag_deleted',
    'tag_made',
    'tag_renamed',
  ],
  charge: [
    'books_exported',
    'charge_settings_changed',
    'coupon_closed',
    'coupon_made',
    'gift_mailed',
    'gift_withdrawn',
    'gifts_exported',
    'gifts_made',
    'outside_file_entered',
    'payment_entered',
    'payment_given_back',
    'plan_changed',
    'plan_made',
    'plans_ordered',
    'price_move_started',
    'price_move_stopped',
    'prices_changed',
    'stripe_connected',
    'stripe_differences_repaired',
    'stripe_disconnected',
    'stripe_taxes_changed',
    'refund_noted',
    'subscription_cancelled',
    'subscription_changed',
    'subscription_entered',
    'subscription_paused',
    'subscription_resumed',
  ],
  recommendations: [
    'recommendation_added',
    'recommendation_changed',
    'recommendation_removed',
    'remote_recommendation_added',
    'remote_change_accepted',
    'recommended_by_set',
    'recommender_answered',
  ],
  campaigns: [
    'campaign_changed',
    'campaign_made',
    'campaign_offer_accepted',
    'campaign_offer_declined',
    'campaign_withdrawn',
    'opt_in_list_revoked',
    'opt_in_list_shared',
    'opt_ins_exported',
  ],
  links: ['clicks_judged_anew', 'link_changed', 'link_made'],
  sponsorship: [
    'booking_changed',
    'booking_creative_set',
    'booking_link_made',
    'booking_made',
    'house_campaign_made',
    'house_campaign_changed',
    'booking_made_good',
    'booking_money_noted',
    'booking_report_link_made',
    'placement_changed',
    'placement_made',
    'sponsor_day_set',
    'sponsorship_changed',
  ],
  newsletter: [
    'audit_exported',
    'audit_kept',
    'image_deleted',
    'newsletter_closed',
    'newsletter_restored',
    'settings_changed',
  ],
  // Calls that a member's role does not allow.
  access: ['access_refused'],
} as const
export const AuditAct = z.enum(Object.values(auditActs).flat())
export type AuditAct = z.infer<typeof AuditAct>

export const AuditKind = z.enum(Object.keys(auditActs) as (keyof typeof auditActs)[])
export type AuditKind = z.infer<typeof AuditKind>

/** The acts of a kind. Whoever looks for refused calls looks for sign-ins too. */
export const actsOf = (kind: AuditKind): readonly string[] =>
  kind === 'access' ? [...auditActs.access, ...accountActs] : auditActs[kind]

export const AuditOutcome = z.enum(['begun', 'done', 'refused', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>
export const AuditActor = z.enum(['member', 'api_key', 'operator', 'system', 'subscriber'])
export type AuditActor = z.infer<typeof AuditActor>
