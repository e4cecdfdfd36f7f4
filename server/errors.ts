import type sentences from '../i18n/en/errors.ts'

/** All errors that callers can get, each with its HTTP status. Their sentences are `errors.<code>` in i18n. */
export const errorStatus = {
  bad_request: 400,
  invalid: 422,
  unauthenticated: 401,
  key_unknown: 401,
  key_elsewhere: 403,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  headers_too_large: 431,
  newsletter_not_found: 404,
  publication_not_found: 404,
  publication_deleted: 404,
  subscriber_not_found: 404,
  recommendation_not_found: 404,
  recommended_not_found: 404,
  recommends_itself: 422,
  remote_unreachable: 422,
  remote_invalid: 422,
  remote_ahead: 422,
  remote_over: 422,
  remote_older: 409,
  remote_here: 422,
  remote_changed: 409,
  recommended_already: 409,
  link_not_found: 404,
  link_of_publication: 409,
  utm_template_not_found: 404,
  link_used: 410,
  media_not_found: 404,
  invitation_not_found: 404,
  tag_not_found: 404,
  field_not_found: 404,
  segment_not_found: 404,
  welcome_not_found: 404,
  import_not_found: 404,
  import_moved_on: 409,
  plan_not_found: 404,
  plan_closed: 409,
  plan_full: 409,
  plan_held: 409,
  free_has_no_price: 422,
  campaign_not_found: 404,
  campaign_withdrawn: 409,
  beneficiary_fixed: 409,
  no_sponsor: 409,
  list_link_not_found: 404,
  gift_not_found: 404,
  gift_taken: 409,
  coupon_not_found: 404,
  placement_not_found: 404,
  placement_closed: 409,
  seats_booked: 409,
  slot_taken: 409,
  day_not_sold: 409,
  day_booked: 409,
  booking_not_found: 404,
  booking_moved_on: 409,
  creative_changed: 409,
  day_to_come: 409,
  offer_changed: 409,
  encoding_does_not_fit: 422,
  price_move_changed: 409,
  price_move_not_found: 404,
  price_move_under_way: 409,
  price_not_found: 404,
  subscription_not_found: 404,
  payment_not_found: 404,
  charged_by_stripe: 409,
  refund_too_large: 422,
  more_than_is_left: 422,
  file_refused: 422,
  mail_not_found: 404,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  too_many_guesses: 429,
  proof_needed: 403,
  wrong_proof: 422,
  other_proof: 409,
  wrong_code: 422,
  not_the_opener: 409,
  address_unproven: 403,
  two_factor_on: 409,
  two_factor_off: 409,
  too_many_passkeys: 409,
  handle_taken: 409,
  slug_taken: 409,
  utm_name_taken: 409,
  slug_reserved: 422,
  name_taken: 409,
  in_use: 409,
  behaviour_not_kept: 409,
  is_welcome: 409,
  already_member: 409,
  already_subscribed: 409,
  subscriber_complained: 409,
  last_owner: 409,
  note_not_found: 404,
  too_many_notes: 409,
  bulk_change_not_found: 404,
  bulk_change_under_way: 409,
  bulk_change_over: 409,
  choice_changed: 409,
  nobody_chosen: 422,
  dkim_key_not_found: 404,
  too_many_dkim_keys: 409,
  no_own_domain: 409,
  anonymous_cannot: 403,
  invitation_for_another: 403,
  sender_unproven: 403,
  sender_reserved: 422,
  sender_taken: 409,
  code_wrong: 422,
  owner_unconfirmed: 403,
  key_cannot: 403,
  edited_meanwhile: 409,
  wrong_status: 409,
  too_late_to_take_back: 409,
  not_on_web: 409,
  empty_publication: 422,
  no_title: 422,
  no_subscribers: 422,
  no_sender: 422,
  no_postal_address: 422,
  empty_merge_fields: 422,
  scheduled_in_past: 422,
  document_invalid: 422,
  image_invalid: 422,
  image_unreachable: 422,
  image_too_heavy: 422,
  image_moves: 422,
  file_too_large: 413,
  media_full: 409,
  media_full_person: 409,
  media_in_use: 409,
  relay_not_found: 404,
  too_many_relays: 409,
  too_many_newsletters: 409,
  too_many_publications: 409,
  too_many_links: 409,
  too_many_utm_templates: 409,
  too_many_tags: 409,
  too_many_fields: 409,
  too_many_segments: 409,
  too_many_imports: 409,
  too_many_campaigns: 409,
  too_many_list_links: 409,
  too_many_plans: 409,
  too_many_recommendations: 409,
  too_many_gifts: 409,
  too_many_coupons: 409,
  too_many_placements: 409,
  too_many_house_campaigns: 409,
  too_many_bookings: 409,
  too_many_api_keys: 409,
  too_many_invitations: 409,
  too_many_from_network: 429,
  too_many_guests: 503,
  relay_refused: 502,
  relay_unreachable: 502,
  nothing_to_refund: 409,
  given_back_meanwhile: 409,
  not_cancellable: 409,
  not_pausable: 409,
  no_offer: 409,
  stripe_not_connected: 409,
  stripe_key_refused: 422,
  stripe_right_missing: 409,
  stripe_refused: 502,
  stripe_away: 503,
  rendering_failed: 503,
  busy: 503,
  database_away: 503,
  storage_full: 507,
  read_only: 507,
  storage_refuses: 503,
  storage_away: 503,
  internal: 500,
} as const

export type ErrorCode = keyof typeof errorStatus

/** What is wrong with a field, as a key below `errors.fields`. */
export type FieldFault = Exclude<keyof (typeof sentences)['fields'], `${string}_${'one' | 'other'}`>

/** What is wrong with a field that has a limit, and the limit. */
export interface LimitFault {
  limit: 'at_most' | 'at_least' | 'at_most_characters' | 'at_least_characters' | 'at_most_items' | 'at_least_items'
  count: number
}

/** By the path of a field: what is wrong with it, or a sentence of it in the caller's language. */
export type Faults = Record<string, FieldFault | LimitFault | { said: string }>

interface ErrorDetails {
  fields?: Faults
  /** The field that the error is about, when its own sentence says all that is wrong there. */
  field?: string
  /** Values for the placeholders of the sentence. */
  params?: Record<string, string | number>
  /** Whose limit this is, when it is one that grows with their standing: the answer says how. */
  limitOf?: 'guest' | 'unproven' | 'proven'
  /** Data that the caller needs to go on, such as the document that was saved meanwhile. */
  detail?: unknown
  cause?: unknown
}

/** The one error that rules and routes throw. The error handler turns it into status, code and sentence. */
export class AppError extends Error {
  readonly status: number
  readonly fields: Faults | undefined
  readonly field: string | undefined
  readonly params: Record<string, string | number>
  readonly limitOf: ErrorDetails['limitOf']
  readonly detail: unknown

  constructor(
    readonly code: ErrorCode,
    details: ErrorDetails = {},
  ) {
    super(code, { cause: details.cause })
    this.name = 'AppError'
    this.status = errorStatus[code]
    this.fields = details.fields
    this.field = details.field
    this.params = details.params ?? {}
    this.limitOf = details.limitOf
    this.detail = details.detail
  }
}
